/** Who did something, as entries of the log say it. */
export interface Actor {
  kind: "person" | "agent" | "system";
  id: string;
  email?: string;
}
