// The table of names in the JSON of a refusal: which member holds the message, the field, the values that it takes.
import { letters } from '../../values/text.ts';

/** Names by role, in small letters: `FieldName` and `field_name` are `fieldname`. Searches go in this order. */
const names = {
  /** What is wrong, as a text or as a list of texts; never a member of the body. */
  words:
    'message messages msg msgs error errors detail details defaultmessage errormessage errormessages fullmessages issue issues violation violations warnings stack trace',
  /** What is wrong, unless it is a member of the body that is called so. */
  mayWord: 'reason description problem title text explanation summary hint fault',
  /** The rule that a member breaks. */
  rule: 'rule code constraint validator',
  /** What any answer says of itself. */
  aside:
    'code status statuscode title type instance traceid requestid timestamp path success ok errorcode errordescription errortext errorname errortype',
  /** The place of a member, as a JSON Pointer. */
  pointer: 'instancepath pointer datapath',
  member: 'field fieldpath propertypath param property fieldname path name target attribute',
  /** The member in an entry of a list of complaints, where it is called none of these. */
  entry:
    'at where key element argument argumentname arg parameter parametername jsonpath jsonpointer attributename propertyname member membername locator subject',
  /** Lists of names of members: of those that are missing, of those that are not taken, of those that are wrong. */
  missing: 'missing missingfields missingmembers missingparams missingkeys required requiredfields',
  unwanted:
    'unknown unknownfields unexpected unexpectedfields extra extrafields unrecognized unrecognizedfields',
  wrong: 'fields invalid invalidfields badfields wrongfields',
  /** The part of the request that holds the member. */
  location: 'location in on source',
  /** The values that a member takes, as a list; beside it, or in an object that holds more about the complaint. */
  values:
    'options values allowed allowedvalues validvalues acceptedvalues accepted permitted supported choices enum enumvalues valids expected expectedvalues oneof',
  more: 'params ctx context meta schema properties',
  /** Maps of members to what is wrong with them. */
  map: 'errors fielderrors errordetails validationerrors invalidfields invalidparams errorsbyfield modelstate violations messages invalid fields',
  /** Such maps, but only where all their texts read like complaints. */
  mayBeMap: 'error detail details data validation',
  /** In a map of members, the names of complaints about the object that holds them. */
  holder: 'error errors nonfielderrors formerrors base body requestbody root',
  /** In a map of members, the part of the request that holds them. */
  part: 'json body form data payload bodyparams',
};

type Role = keyof typeof names;

const listed = new Map(Object.entries(names).map(([role, text]) => [role, text.split(' ')]));

/** The names of these roles, in the order of the table. */
const namesOf = (roles: readonly Role[]) => roles.flatMap((role) => listed.get(role) ?? []);

export const isCalled = (name: string, ...roles: readonly Role[]): boolean =>
  namesOf(roles).includes(letters(name));

/** Members by the letters of their names. */
export type Lettered = Readonly<Record<string, unknown>>;

/** What an object holds in these roles, in the order of the table. */
export const heldAs = (node: Lettered, ...roles: readonly Role[]): unknown[] =>
  namesOf(roles).map((name) => node[name]);

/** Whether a name means a part of a request other than its body: `query`, `path_param`, `headers`. */
export const isOtherPart = (name: string): boolean =>
  /^(?:query|param|path|header|cookie)(?:s|[ _-]?string|eters?|[ _-]?param\w*)?$/i.test(name);
