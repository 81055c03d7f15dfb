import { stem } from "./stem.ts";

/**
 * Words that mean the same to somebody who asks for a tool, a group a line. Short on purpose: only what holds in any domain.
 */
const groups = `
delete remove erase
buy purchase
modify change update edit alter adjust
find search query lookup locate
get fetch retrieve obtain
create make generate produce build
add insert append
send deliver transmit
save write store
show display view
cancel revoke abort
book reserve reservation
begin start launch
stop end finish terminate
verify validate check confirm
compute calculate
translate translation
convert conversion
summarize summary
compare comparison
analyze analysis
recommend suggest
upload import
download export
email mail
message msg
image picture photo photograph img
video film movie
song music track
folder directory
document doc
repository repo
database db
configuration config
information info detail
price cost fee
money currency
job career employment
phone telephone
trip travel journey
hotel accommodation
shop store
company business
employee staff
doctor physician
medicine drug medication
illness disease
news headline
calendar schedule agenda
meeting appointment
number count quantity amount
list enumerate
comment remark
student pupil
class course lesson
website site webpage
authentication auth login
log history
notification alert`;

/** Stem to the stems of the other words of its groups. */
export const synonymsOf: ReadonlyMap<string, readonly string[]> = readGroups();

function readGroups(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of groups.trim().split("\n")) {
    const stems = [...new Set(line.split(" ").map(stem))];
    for (const word of stems) {
      const others = stems.filter((other) => other !== word);
      found.set(word, [...(found.get(word) ?? []), ...others]);
    }
  }
  return found;
}
