/** `admin` governs; `member` reads, approves devices, posts scans; `auditor` reads everything and changes nothing. */
export const roles = ["admin", "member", "auditor"] as const;
export type Role = (typeof roles)[number];
