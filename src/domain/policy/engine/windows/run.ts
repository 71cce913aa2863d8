/** The way into both shells of Windows. */
import type { Machine } from "../run/machine.ts";
import { cmd } from "./cmd.ts";
import { powershell } from "./powershell.ts";

/** Runs text of a Windows shell abstractly; what is not understood is a gap. */
export function windows(m: Machine, text: string, dialect: "powershell" | "cmd"): void {
  const before = m.dialect;
  m.dialect = dialect;
  try {
    if (dialect === "powershell") powershell(m, text);
    else cmd(m, text);
  } finally {
    m.dialect = before;
  }
}
