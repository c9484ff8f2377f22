# SPDX-License-Identifier: Apache-2.0
# Is the input as the JSON schema $schema says? What is not, a line each. With $strict also each key that it does not know.
#   jq -r --slurpfile schema FILE --argjson strict true -f schema.jq REPORT
# The part of JSON Schema (2020-12) that docs/report.schema.json needs: a keyword that is not known here is refused.
def known_keywords:
  ["$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "pattern", "minimum", "minItems", "maxItems",
   "items", "properties", "required", "additionalProperties", "allOf"];

def found: if has("$ref") then ($schema[0]["$defs"][.["$ref"] | ltrimstr("#/$defs/")] // error("no \(.["$ref"])")) else . end;
def keys_of: found | (.properties // {} | keys) + ([.allOf[]? | keys_of] | add // []);

def is_a($name):
  if $name == "integer" then type == "number" and . == floor else type == $name end;

def wrong($rule; $at; $whole):
  . as $value | ($rule | found) as $r
  | (($r | keys) - known_keywords | .[] | "\($at): the keyword \(.) is not known"),
    (if $r.type and ($value | is_a($r.type) | not) then "\($at): \($value | type), not \($r.type)" else empty end),
    (if $r.enum and ($r.enum | index([$value]) | not) then "\($at): \($value) is none of \($r.enum)" else empty end),
    (if ($r | has("const")) and $value != $r.const then "\($at): \($value), not \($r.const)" else empty end),
    (if $r.pattern and ($value | type == "string" and test($r.pattern) | not) then "\($at): not \($r.pattern)" else empty end),
    (if ($r | has("minimum")) and $value < $r.minimum then "\($at): less than \($r.minimum)" else empty end),
    (if $value | type == "array" then
       (if ($r | has("minItems")) and ($value | length) < $r.minItems then "\($at): too short" else empty end),
       (if ($r | has("maxItems")) and ($value | length) > $r.maxItems then "\($at): too long" else empty end),
       (if $r.items then range($value | length) as $i | $value[$i] | wrong($r.items; "\($at)[\($i)]"; true) else empty end)
     else empty end),
    (if $value | type == "object" then
       ($r.required[]? | . as $key | select($value | has($key) | not) | "\($at): no \($key)"),
       ($value | keys_unsorted[] as $key
         | ($r.properties // {})[$key] // (if $r.additionalProperties | type == "object" then $r.additionalProperties else null end)
         | if . then . as $next | $value[$key] | wrong($next; "\($at).\($key)"; true)
           elif $strict and $whole and ($r | keys_of | index($key) | not) then "\($at): the key \($key) is not described"
           else empty end)
     else empty end),
    ($r.allOf[]? as $part | $value | wrong($part; $at; false));

wrong($schema[0]; ""; true)
