/** Programs of Windows started from a POSIX shell. */
import { invoked } from "../windows/powershell.ts";
import type { Field } from "../value.ts";
import type { Handler } from "./row.ts";
import type { Table } from "./table.ts";

/** `//c` is `/c` in Git Bash, where `/c` alone would be a path. */
const switches = (words: readonly Field[]): Field[] =>
  words.map(f => (/^\/\/[A-Za-z?]/.test(f.text) ? { ...f, text: f.text.slice(1) } : f));

/** A program of Windows started from a POSIX shell (WSL, Git Bash, CI), its words read as `dialect` does. */
const windows =
  (dialect?: "cmd" | "powershell", name?: string): Handler =>
  job => {
    const { m, argv, io } = job;
    const before = m.dialect;
    if (dialect) m.dialect = dialect;
    invoked(m, name ?? job.inv.program, switches(argv.slice(1)), io.input?.val, job.inv.span!);
    m.dialect = before;
    return undefined;
  };

export const fromPosix: Table = {
  "powershell pwsh powershell.exe pwsh.exe pwsh-preview": { run: windows(undefined, "powershell") },
  // Commands of PowerShell in what is taken for POSIX text: the caller's shell may be one or the other.
  "remove-item clear-content set-content add-content copy-item move-item new-item start-process invoke-expression": {
    run: windows("powershell"),
  },
  "cmd.exe cmd": { run: windows(undefined, "cmd") },
  "reg schtasks vssadmin wbadmin bcdedit wmic certutil bitsadmin icacls takeown robocopy xcopy wevtutil rundll32 regsvr32 mshta fsutil cscript wscript msiexec diskpart netsh forfiles auditpol reagentc manage-bde taskkill setx cipher net.exe sc.exe at.exe format.com attrib.exe shutdown.exe":
    { run: windows("cmd") },
};
