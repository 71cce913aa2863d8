/** Parameters of cmdlets in full: PowerShell takes any prefix that tells them apart. */
const item = "path literalpath filter include exclude recurse force whatif confirm erroraction";
const web =
  "uri method body infile outfile headers contenttype usebasicparsing useragent form credential proxy timeoutsec skipcertificatecheck sessionvariable websession";
const wmi = "class query filter namespace computername argumentlist name path property";
const cim = "classname methodname arguments query filter namespace computername inputobject property cimsession";

const table: Record<string, string> = {
  "remove-item clear-item clear-content": item,
  "get-childitem": `${item} depth name file directory hidden readonly system attributes`,
  "get-item resolve-path": item,
  "copy-item move-item": `${item} destination container tosession fromsession`,
  "rename-item": `${item} newname`,
  "new-item": "path name itemtype value target force",
  "get-content": "path literalpath raw tail totalcount wait encoding",
  "set-content add-content": "path literalpath value force encoding nonewline",
  "out-file": "filepath literalpath encoding append force inputobject width nonewline",
  "set-itemproperty new-itemproperty remove-itemproperty set-item":
    "path literalpath name value type propertytype force",
  "invoke-webrequest invoke-restmethod": web,
  "start-bitstransfer": "source destination transfertype asynchronous priority displayname credential",
  "invoke-command": "computername session scriptblock filepath argumentlist asjob credential hostname vmname cn",
  "start-process": "filepath argumentlist credential workingdirectory nonewwindow passthru verb windowstyle wait",
  "start-job": "scriptblock filepath argumentlist name",
  "stop-process get-process stop-service get-service": "name id inputobject passthru force whatif displayname",
  "new-object": "typename argumentlist comobject property",
  "add-type": "typedefinition memberdefinition name namespace assemblyname path outputassembly",
  "get-wmiobject invoke-wmimethod set-wmiinstance remove-wmiobject": wmi,
  "get-ciminstance invoke-cimmethod new-ciminstance remove-ciminstance set-ciminstance": cim,
  "new-service set-service": "name binarypathname displayname startuptype description status",
  "compress-archive": "path literalpath destinationpath force update compressionlevel",
  "invoke-sqlcmd": "query inputfile serverinstance database username password",
  "set-mppreference add-mppreference remove-mppreference":
    "disablerealtimemonitoring disablebehaviormonitoring disableioavprotection disablescriptscanning disableblockatfirstseen disableintrusionpreventionsystem disablearchivescanning exclusionpath exclusionextension exclusionprocess exclusionipaddress mapsreporting submitsamplesconsent puaprotection enablecontrolledfolderaccess",
  "format-volume clear-disk": "driveletter number filesystem confirm force removedata removeoem whatif",
  "set-executionpolicy": "executionpolicy scope force",
  "set-netfirewallprofile": "profile all enabled name defaultinboundaction",
};

const byCmdlet = new Map<string, readonly string[]>();
for (const names in table) for (const name of names.split(" ")) byCmdlet.set(name, table[names]!.split(" "));

/** `-rec` of `Remove-Item` is `-recurse`; what fits no parameter, or two, stays as it is. */
export function inFull(flag: string, program: string): string {
  const all = byCmdlet.get(program);
  const typed = flag.slice(1);
  if (!all || all.includes(typed)) return flag;
  const [found, second] = all.filter(name => name.startsWith(typed));
  return found === undefined || second !== undefined ? flag : `-${found}`;
}
