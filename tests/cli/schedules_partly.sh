#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# schedules.sh, with random statements of each program left out of the recording.
export SCHEDULES_PARTLY=1
exec bash "$(dirname "$0")/schedules.sh"
