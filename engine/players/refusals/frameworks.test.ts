import { expect, test } from 'vitest';
import { membersNamedIn } from '../../../fixtures/kit/named-members.ts';

const sent = { status: 'READ', amount: 'abc' };

test.each<[string, string, ...string[]]>([
  [
    'Jackson',
    'JSON parse error: Cannot deserialize value of type `com.x.Flag` from String "READ": not one of the values accepted for Enum class: [SEEN, UNSEEN]',
    'status=SEEN|UNSEEN',
  ],
  [
    'Jackson',
    'Cannot deserialize value of type `java.lang.Long` from String "abc": not a valid `java.lang.Long` value (through reference chain: com.x.Body["amount"])',
    'amount:integer',
  ],
  [
    'Jackson',
    'Cannot deserialize value of type `java.util.ArrayList<java.lang.String>` from String value (through reference chain: com.x.Body["logs"]->java.util.ArrayList[0]->com.x.Log["tags"])',
    'logs.0.tags:list<string>',
  ],
  [
    'Jackson',
    'Unrecognized field "flag" (class com.x.Body), not marked as ignorable (2 known properties: "status", "amount"])',
    '-flag',
  ],
  ['Jackson', "Missing required creator property 'flag' (index 0)", 'flag'],
  [
    'Jackson',
    'Cannot deserialize value of type `com.x.Body` from Array value (token `JsonToken.START_ARRAY`)',
  ],
  ['Gson', 'Expected BEGIN_ARRAY but was STRING at line 1 column 5 path $.amount', 'amount:list'],
  ['Moshi', "Required value 'flag' missing at $.loadout", 'loadout.flag'],
  [
    'kotlinx.serialization',
    "Field 'status' is required for type with serial name 'x.Body', but it was missing at path: $",
    'status',
  ],
  [
    'kotlinx.serialization',
    "Fields [flag, kind] are required for type with serial name 'x.Body', but they were missing at path: $.loadout",
    'loadout.flag',
    'loadout.kind',
  ],
  ['kotlinx.serialization', "Flag does not contain element with name 'READ' at path $.status", 'status'],
  [
    'kotlinx.serialization',
    "Unexpected JSON token at offset 12: Failed to parse type 'int' for input 'abc' at path: $.amount",
    'amount:integer',
  ],
  ['kotlinx.serialization', "Encountered an unknown key 'flag' at offset 2 at path: $", '-flag'],
  ['Spring', "Failed to convert 'status' with value: 'x'", 'status'],
  ['Spring', 'Required request body is missing: public x.Response com.x.Messages.mark(com.x.Body)'],
  [
    'Spring',
    "[Field error in object 'body' on field 'status': rejected value [null]; codes [NotBlank]]",
    'status',
  ],
  [
    'Spring',
    "Failed to convert property value of type 'java.lang.String' to required type 'int' for property 'amount'",
    'amount:integer',
  ],
  [
    'Micronaut',
    'Required constructor parameter [String flag] at index [0] is not present or is null',
    'flag:string',
  ],
  [
    'System.Text.Json',
    "JSON deserialization for type 'X.Body' was missing required properties including: 'flag', 'kind'.",
    'flag',
    'kind',
  ],
  [
    'Newtonsoft.Json',
    "Could not convert string to integer: abc. Path 'amount', line 1, position 16.",
    'amount:integer',
  ],
  ['FluentValidation', "'Message Ids' must not be empty.", 'messageIds'],
  ['Rails', 'param is missing or the value is empty: message_ids', 'message_ids'],
  ['Rails', "'READ' is not a valid status", 'status'],
  ['Ruby', 'missing keywords: :flag, :kind', 'flag', 'kind'],
  ['PHP', 'Undefined array key "status"', 'status'],
  ['PHP', 'Undefined property: stdClass::$flag', 'flag'],
  [
    'Symfony',
    'The type of the "amount" attribute for class "X" must be "int" ("string" given).',
    'amount:integer',
  ],
  ['Vapor', "No such key 'status' at path ''. No value associated with key status.", 'status'],
  ['Vapor', "Value was not of type 'Int' at path 'amount'. Expected to decode Int.", 'amount:integer'],
  [
    'Go',
    'json: cannot unmarshal string into Go struct field Req.loadout.perks of type []string',
    'loadout.perks:list<string>',
  ],
  ['Go', 'json: cannot unmarshal array into Go value of type main.Req'],
  [
    'Go validator',
    "Key: 'Req.Logs[0].EventType' Error:Field validation for 'EventType' failed on the 'required' tag",
    'logs.0.eventType',
  ],
  ['echo', 'Unmarshal type error: expected=int, got=string, field=amount, offset=17', 'amount:integer'],
  [
    'protoc-gen-validate',
    'invalid MarkRequest.Status: value must be in list [read unread]',
    'status=read|unread',
  ],
  ['grpc-gateway', 'proto: (line 1:11): invalid value for enum field status: "READ"', 'status'],
  ['Google', 'Invalid value at \'amount\' (TYPE_INT32), "abc"', 'amount:integer'],
  [
    'AWS',
    "Value 'READ' at 'status' failed to satisfy constraint: Member must satisfy enum value set: [read, unread]",
    'status=read|unread',
  ],
  ['Mongoose', 'Cast to Number failed for value "abc" (type string) at path "amount"', 'amount:number'],
  [
    'zod-validation-error',
    'Validation error: Required at "flag"; Invalid enum value. Expected \'read\' | \'unread\' at "status"',
    'flag',
    'status=read|unread',
  ],
  ['Zod, prettified', '✖ Invalid input: expected number, received string\n  → at amount', 'amount:number'],
  [
    'Superstruct',
    'At path: status -- Expected one of `"read","unread"`, but received: "x"',
    'status=read|unread',
  ],
  [
    'old Joi',
    'child "loadout" fails because [child "perks" fails because ["perks" is required]]',
    'loadout.perks',
  ],
  ['class-validator', 'each value in ids must be a string', 'ids:list<string>'],
  ['Voluptuous', "expected int for dictionary value @ data['amount']", 'amount:integer'],
  ['msgspec', 'Expected `int`, got `str` - at `$.amount`', 'amount:integer'],
  ['Python', "KeyError: 'flag'", 'flag'],
  ['Aeson', 'Error in $: key "flag" not found', 'flag'],
  ['circe', 'Attempt to decode value on failed cursor: DownField(flag)', 'flag'],
])('reads a wording of %s: %s', (_, message, ...expected) => {
  expect(membersNamedIn({ error: message }, sent)).toEqual(expected);
});
