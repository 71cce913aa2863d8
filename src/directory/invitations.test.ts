import { expect, test } from "bun:test";
import { DAY, someone, testDirectory } from "../../test/directory.ts";

function begin() {
  const world = testDirectory();
  const { org, account } = someone(world.directory);
  const invite = (email = "Bob@Example.org") =>
    world.directory.invitations.create({ org, email, role: "member", invited_by: account });
  return { ...world, org, invitations: world.directory.invitations, invite };
}

test("a link works for seven days, once", () => {
  const { invitations, invite, wait } = begin();
  const { token, invitation } = invite();
  expect(invitation.email).toBe("bob@example.org");
  wait(7 * DAY - 1);
  expect(invitations.find(token)).toEqual(invitation);
  expect(invitations.drop(invitation.id)).toBe(true);
  expect(invitations.drop(invitation.id)).toBe(false);
  expect(invitations.find(token)).toBeUndefined();
  const late = invite("late@example.org");
  wait(7 * DAY);
  expect(invitations.find(late.token)).toBeUndefined();
});

test("inviting again makes a new link and kills the old", () => {
  const { invitations, invite, directory, org } = begin();
  const [old, fresh] = [invite(), invite("bob@example.org")];
  expect(invitations.find(old.token)).toBeUndefined();
  expect(invitations.find(fresh.token)).toBeDefined();
  expect(directory.members.seats(org)).toBe(2);
});

test("members are not invited, nonsense is no address, withdrawal ends it", () => {
  const { invitations, invite, org } = begin();
  expect(() => invite("ada@example.org")).toThrow("member already");
  expect(() => invite("nobody")).toThrow("not valid");
  const { token, invitation } = invite();
  invitations.withdraw(org, invitation.id);
  expect(invitations.find(token)).toBeUndefined();
});
