/** Short names of PowerShell and the commands they stand for, all in lower case. */
export const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    iex: "invoke-expression",
    iwr: "invoke-webrequest",
    wget: "invoke-webrequest",
    curl: "invoke-webrequest",
    irm: "invoke-restmethod",
    icm: "invoke-command",
    ii: "invoke-item",
    ipmo: "import-module",
    iwmi: "invoke-wmimethod",
    rm: "remove-item",
    del: "remove-item",
    erase: "remove-item",
    rd: "remove-item",
    ri: "remove-item",
    rmdir: "remove-item",
    rp: "remove-itemproperty",
    cp: "copy-item",
    copy: "copy-item",
    cpi: "copy-item",
    mv: "move-item",
    move: "move-item",
    mi: "move-item",
    ni: "new-item",
    md: "new-item",
    mkdir: "new-item",
    sc: "set-content",
    ac: "add-content",
    clc: "clear-content",
    cat: "get-content",
    gc: "get-content",
    type: "get-content",
    sp: "set-itemproperty",
    saps: "start-process",
    start: "start-process",
    gps: "get-process",
    ps: "get-process",
    spps: "stop-process",
    kill: "stop-process",
    sasv: "start-service",
    spsv: "stop-service",
    sal: "set-alias",
    nal: "new-alias",
    cd: "set-location",
    chdir: "set-location",
    sl: "set-location",
    pushd: "push-location",
    echo: "write-output",
    write: "write-output",
    ls: "get-childitem",
    dir: "get-childitem",
    gci: "get-childitem",
    foreach: "foreach-object",
    "%": "foreach-object",
    where: "where-object",
    "?": "where-object",
    select: "select-object",
    sls: "select-string",
    nsn: "new-pssession",
    etsn: "enter-pssession",
    sv: "set-variable",
    set: "set-variable",
    gv: "get-variable",
  }),
);

/** Parameters by the prefix PowerShell needs to tell them apart; `powershell -enc` is `-encodedcommand`. */
export function parameter(text: string, program: string): string {
  // `powershell.exe` takes `/enc` as well.
  const lower = text.toLowerCase().replace(/^\//, /^(powershell|pwsh)$/.test(program) ? "-" : "/");
  if (/^-(r|re|rec|recu|recur|recurs)$/.test(lower)) return "-recurse";
  if (/^-fo(r|rc)?$/.test(lower)) return "-force";
  if (/^-outf?(i|il)?$/.test(lower) || lower === "-o") return "-outfile";
  if (program !== "powershell" && program !== "pwsh") return lower;
  if (/^-e(n|nc|nco|ncod|ncode|ncoded|ncodedc\w*|c)?$/.test(lower)) return "-encodedcommand";
  return /^-c(o|om|omm|omma|omman)?$/.test(lower) ? "-command" : lower;
}
