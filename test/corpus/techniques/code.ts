/** Code of scripting languages and build tools whose calls hide what they run: renamed, formatted, spelled, reversed, piped in. */
import { b64, hex, program, q, rest, type Techniques } from "./technique.ts";

const d = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
const words = (c: string): string =>
  c
    .split(" ")
    .map(w => JSON.stringify(w))
    .join(",");
const codes = (c: string): string => [...c].map(x => x.charCodeAt(0)).join(",");
const turned = (c: string): string => [...c].reverse().join("");
const python = (code: string): string => `python3 -c ${q(code)}`;

export const code: Techniques = {
  "calls by another name": [
    c => python(`from os import system as s; s("${d(c)}")`),
    c => python(`getattr(__import__("o"+"s"),"sys"+"tem")("${d(c)}")`),
    c => python(`import os; os.system(" ".join([${words(c)}]))`),
    c => python(`import os; os.system("%s ${d(rest(c))}" % "${program(c)}")`),
    c => python(`import os; os.system("{} ${d(rest(c))}".format("${program(c)}"))`),
    c => `python3 -c 'import os,sys; os.system(sys.argv[1])' ${q(c)}`,
    c => `python3 -c 'import os,sys; os.system(sys.stdin.read())' <<< ${q(c)}`,
    c => `python3 -m timeit -s "import os" ${q(`os.system("${d(c)}")`)}`,
    c => `node -e ${q(`const {execSync:x}=require("child_process");x("${d(c)}")`)}`,
    c => `node -pe ${q(`require("child_process").execSync("${d(c)}")`)}`,
    c => `perl -e ${q(`open F,"|-","${d(c)}"`)}`,
    c => `ruby -e ${q(`send(:system,"${d(c)}")`)}`,
    c => `php -r ${q(`$f="sys"."tem";$f("${d(c)}");`)}`,
    c => `php -r ${q(`call_user_func("system","${d(c)}");`)}`,
    c => `awk -v c=${q(c)} 'BEGIN{system(c)}'`,
    c => `awk '{system($0)}' <<< ${q(c)}`,
    c => `groovy -e ${q(`"${d(c)}".execute()`)}`,
    c => `racket -e ${q(`(system "${d(c)}")`)}`,
    c => `clojure -e ${q(`(clojure.java.shell/sh ${words(c).replaceAll(",", " ")})`)}`,
    c => `mongosh --eval ${q(`run(${words(c)})`)}`,
  ],
  "texts in disguise": [
    c => python(`import os;os.system("".join(map(chr,[${codes(c)}])))`),
    c => python(`import os;os.system("${d(turned(c))}"[::-1])`),
    c => `perl -e ${q(`system reverse "${d(turned(c))}"`)}`,
    c => `perl -e ${q(`system join "", map chr, ${codes(c)}`)}`,
    c => `ruby -e ${q(`system ["${hex(c, "")}"].pack("H*")`)}`,
    c => `php -r ${q(`system(strrev("${d(turned(c))}"));`)}`,
    c => `perl -MMIME::Base64 -e ${q(`eval decode_base64("${b64(`system(${JSON.stringify(c)})`)}")`)}`,
  ],
  "texts put together": [
    c => python(`import os; c=""\nfor x in [${words(c.replaceAll(" ", "  "))}]: c+=x+" "\nos.system(c)`),
    c => python(`import os; c="${program(c)}"; c+=" ${d(rest(c))}"; os.system(c)`),
    c => python(`import os; os.system("%s %s" % ("${program(c)}","${d(rest(c))}"))`),
    c => python(`import os; os.system("{1} {0}".format("${d(rest(c))}","${program(c)}"))`),
    c => python(`import os; p="${program(c)}"; os.system(f"{p} ${d(rest(c))}")`),
    c => python(`import os; os.system("${d(c.replaceAll("r", "Q"))}".replace("Q","r"))`),
    c =>
      python(
        `import os; os.system("".join(chr(ord(x)-1) for x in "${[...c].map(x => String.fromCharCode(x.charCodeAt(0) + 1)).join("")}"))`,
      ),
    c => python(`import os; os.system(" ".join(reversed([${words(c.split(" ").reverse().join(" "))}])))`),
    c => `node -e ${q(`const c=[${words(c)}].join(" ");require("child_process").execSync(c)`)}`,
    c => `node -e ${q(`require("child_process").execSync(\`\${"${program(c)}"} ${d(rest(c))}\`)`)}`,
    c => `perl -e ${q(`$c=join(" ",${words(c)});exec $c`)}`,
    c => `perl -e ${q(`system(sprintf("%s %s","${program(c)}","${d(rest(c))}"))`)}`,
    c => `php -r ${q(`system(str_replace("Q","r","${d(c.replaceAll("r", "Q"))}"));`)}`,
    c => `awk 'BEGIN{system(sprintf("%s %s","${program(c)}","${d(rest(c))}"))}'`,
    c => `R -e ${q(`system2("${program(c)}",c(${words(rest(c))}))`)}`,
  ],
  "languages seldom seen": [
    c => `gawk --source=${q(`BEGIN{system("${d(c)}")}`)}`,
    c => `swipl -g ${q(`shell("${d(c)}")`)} -t halt`,
    c => `raku -e ${q(`shell "${d(c)}"`)}`,
    c => `emacs -batch -eval ${q(`(shell-command-to-string "${d(c)}")`)}`,
    c => `nim e <(echo ${q(`exec "${d(c)}"`)})`,
    c => `exiftool -if ${q(`system("${d(c)}")`)} a.jpg`,
    c => `sqlmap -u x.test --eval=${q(`import os; os.system("${d(c)}")`)}`,
    c => `lldb --one-line ${q(`script import os; os.system("${d(c)}")`)} -b`,
    c => `gdb --batch --eval-command=${q(`shell ${c}`)}`,
    c => `sqlite3 <<< ${q(`.sh ${c}`)}`,
    c => `tasksh <<< ${q(`! ${c}`)}`,
    c => `fish -C ${q(c)}`,
    c => `some-lisp -e ${q(`(run-shell "${d(c)}")`)}`,
    c => `some-tool --init <(echo ${q(`!${c}`)})`,
    c => `pylint --init-hook=${q(`import os; os.system("${d(c)}")`)} a.py`,
    c => `ghc -e ${q(`:!${c}`)}`,
    c => `expect -f <(echo ${q(`spawn ${c}`)})`,
    c => `sed -f <(echo ${q(`1e ${c}`)}) a`,
    c => `bun exec ${q(c)}`,
    c => `hg --config alias.x=${q(`!${c}`)} x`,
    c => `sqlite3 a.db ${q(`select edit('x','${c}')`)}`,
    c => `mvn exec:exec -Dexec.executable=${program(c)} -Dexec.args=${q(rest(c))}`,
  ],
  "build tools": [
    c => `make -f - <<< $'x:\\n\\t${c}'`,
    c => `printf 'x:\\n\\t${c}' | make -f /dev/stdin`,
    c => `make --eval=${q(`$(shell ${c})`)}`,
    c => `make SHELL=${q(`/bin/sh -c "${d(c)}"`)}`,
    c => `cmake -E ${c}`,
    c => `cmake -P /dev/stdin <<< ${q(`execute_process(COMMAND ${c})`)}`,
    c => `echo ${q(`int main(){system("${d(c)}");}`)} | gcc -xc - -o x && ./x`,
    c => `yarn exec ${q(c)}`,
    c => `vim +${q(`!${c}`)} +q`,
    c => `ex <<< ${q(`!${c}`)}`,
    c => `redis-cli eval ${q(`os.execute("${d(c)}")`)} 0`,
  ],
  "machines elsewhere": [
    c => `ssh host ${c}`,
    c => `rsh host ${c}`,
    c => `dbclient host ${q(c)}`,
    c => `pssh -h hosts ${q(c)}`,
    c => `multipass exec v -- ${c}`,
    c => `wsl -d Ubuntu -- ${c}`,
    c => `heroku run ${q(c)}`,
    c => `flyctl ssh console --command ${q(c)}`,
    c => `gh codespace ssh -- ${c}`,
    c => `tsh ssh u@h ${q(c)}`,
    c => `az vm run-command invoke -g g -n v --command-id RunShellScript --scripts ${q(c)}`,
    c => `aws ssm send-command --document-name AWS-RunShellScript --parameters commands=${q(c)}`,
    c => `sftp -o ProxyCommand=${q(c)} h`,
    c => `rsync --rsync-path=${q(`${c} && rsync`)} x h:`,
  ],
};
