import { isToken, makeToken } from "../domain/identity/tokens.ts";
import { type DirectoryWorld, sha256 } from "./world.ts";

export const CHALLENGE_S = 300;
const TRIES = 5;

export type Challenges = ReturnType<typeof createChallenges>;

/** A sign-in that has shown its first factor and waits five minutes and five tries for the second. */
export function createChallenges({ db, now, random }: DirectoryWorld) {
  return {
    create(account: string, org: string): { challenge: string; expires_in: number } {
      const challenge = makeToken("challenge", random);
      db.query("DELETE FROM challenges WHERE expires_at <= ?").run(now());
      db.query("INSERT INTO challenges(hash, account, org, tries_left, expires_at) VALUES(?, ?, ?, ?, ?)").run(
        ...[sha256(challenge), account, org, TRIES, now() + CHALLENGE_S * 1000],
      );
      return { challenge, expires_in: CHALLENGE_S };
    },
    /** Whose it is, while it can still be answered. */
    find: (challenge: string): string | undefined =>
      db
        .query<{ account: string }>(
          "SELECT account FROM challenges WHERE hash = ? AND tries_left > 0 AND expires_at > ?",
        )
        .get(sha256(challenge), now())?.account,
    /** Takes one try, before the code is looked at. Undefined when there is none left or it is too late. */
    attempt: (challenge: string): { account: string; org: string } | undefined =>
      isToken("challenge", challenge)
        ? db
            .query<{ account: string; org: string }>(
              "UPDATE challenges SET tries_left = tries_left - 1 WHERE hash = ? AND tries_left > 0 AND expires_at > ? RETURNING account, org",
            )
            .get(sha256(challenge), now())
        : undefined,
    /** Answered: it cannot be used again. */
    settle: (challenge: string): void => void db.query("DELETE FROM challenges WHERE hash = ?").run(sha256(challenge)),
  };
}
