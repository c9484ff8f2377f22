/* SPDX-License-Identifier: Apache-2.0 */
/* The connection to results.db: opening it safely, its statements, transactions, and SQLite's failures in our words.
 * results.c alone uses it, for rows.
 *
 * Invariant: a database that was opened is recipe's own, of this version, and passed SQLite's check and ours
 * (results/seal.h). Owns connection, path and statements.
 */
#ifndef RECIPE_RESULTS_DATABASE_H
#define RECIPE_RESULTS_DATABASE_H

#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* user_version of the file. */
#define RCP_RESULTS_VERSION 9

enum rcp_statement {
    RCP_SQL_BEGIN_WRITE,
    RCP_SQL_COMMIT,
    RCP_SQL_ROLLBACK,
    RCP_SQL_NEW_ANALYSIS,
    RCP_SQL_NEW_RACE,
    RCP_SQL_NEW_WITNESS,
    RCP_SQL_NEW_STATISTIC,
    RCP_SQL_FINISH,
    RCP_SQL_YIELD,
    RCP_SQL_DROP,
    RCP_SQL_OUTDATE,
    RCP_SQL_READ_ANALYSES,
    RCP_SQL_READ_RACES,
    RCP_SQL_READ_STATISTICS,
    RCP_SQL_NEW_REPLAY,
    RCP_SQL_READ_REPLAYS,
    RCP_SQL_OUTDATE_REPLAYS,
    RCP_SQL_NEW_OUTCOME,
    RCP_SQL_READ_OUTCOME,
    RCP_SQL_DROP_OUTCOMES,
    RCP_SQL_OUTDATE_OUTCOMES,
    RCP_SQL_NEW_VIOLATION,
    RCP_SQL_READ_VIOLATIONS,
    RCP_SQL_OUTDATE_VIOLATIONS,
    RCP_SQL_NEW_STANDSTILL,
    RCP_SQL_READ_STANDSTILLS,
    RCP_SQL_NEW_STANDING,
    RCP_SQL_READ_STANDINGS,
    RCP_SQL_OUTDATE_STANDINGS,
    RCP_SQL_FIND_ANALYSIS,
    RCP_SQL_REOPEN_ANALYSIS,
    RCP_SQL_FORGET_STATISTIC,
    RCP_SQL_NEW_HUNTED,
    RCP_SQL_READ_HUNTED,
    RCP_SQL_READ_HUNTED_VARIANTS,
    RCP_SQL_DROP_HUNTED,
    RCP_SQL_OUTDATE_HUNTED,
    RCP_SQL_STATEMENTS
};

typedef struct rcp_database {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *prepared[RCP_SQL_STATEMENTS];
} rcp_database;

/* Both want rcp_database_close() afterwards, also where they fail. */
rcp_code rcp_database_open(rcp_database *base, const char *directory) RCP_MUST_USE;
rcp_code rcp_database_open_readonly(rcp_database *base, const char *directory) RCP_MUST_USE;
void rcp_database_close(rcp_database *base);

/* A row of it is not as it was written. */
rcp_code rcp_database_damaged(const rcp_database *base, const char *what);
/* What SQLite last said, with the file's name and what we were doing. */
rcp_code rcp_database_failed(const rcp_database *base, const char *doing);
/* Prepared on first use, reset for the next. NULL: rcp_database_failed() says why. */
sqlite3_stmt *rcp_database_ready(rcp_database *base, enum rcp_statement which);
/* The first `n` parameters. */
bool rcp_database_bind(sqlite3_stmt *s, const uint64_t *words, int n);
/* Runs a statement that gives no rows. */
bool rcp_database_run(rcp_database *base, enum rcp_statement which, const uint64_t *words, int n);
/* Ends a transaction: what could not be done whole is not done at all, and the first failure is the one told. */
rcp_code rcp_database_conclude(rcp_database *base, bool fine, const char *doing) RCP_MUST_USE;

#endif
