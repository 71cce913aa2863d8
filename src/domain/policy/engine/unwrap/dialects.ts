import type { Lexis } from "./tokens.ts";

/** What the calls of a scripting language do. Names are compared by their last part: `os.system` matches `system`. */
export interface Dialect {
  names: string;
  lexis: Lexis;
  /** Run a shell command, or a program with arguments when given several strings. */
  runs: string;
  /** Replace the process; the second string is the name the program is told. */
  execs?: string;
  /** Run code of the same language. */
  evals: string;
  deletes: string;
  /** Delete with everything below. */
  removesTrees: string;
  reads: string;
  writes: string;
  /** The first text names what is read or goes, the last what is written. */
  copies?: string;
  /** Load a library. */
  loads?: string;
  /** Read or write by a mode argument. */
  opens?: string;
  fetches: string;
  sockets: string;
  decodes: string;
  /** `print | "cmd"`, `"cmd" | getline`. */
  pipes?: boolean;
}

const slashes = ["//"];
const hash = ["#"];

export const dialects: readonly Dialect[] = [
  {
    names: "python python3 python2 pypy pypy3 ipython sage",
    lexis: { comments: hash },
    runs: "system popen Popen call run check_call check_output getoutput getstatusoutput spawn spawnl spawnlp spawnv spawnvp startfile create_subprocess_shell create_subprocess_exec",
    execs: "execl execle execlp execlpe execv execve execvp execvpe posix_spawn posix_spawnp",
    evals: "exec eval compile __import__ loads timeit repeat",
    deletes: "remove unlink rmdir removedirs",
    removesTrees: "rmtree",
    reads: "read_text read_bytes",
    writes: "write_text write_bytes chmod chown truncate",
    copies: "copy copyfile copy2 copytree move rename os.replace symlink symlink_to link",
    loads: "LoadLibrary CDLL PyDLL",
    opens: "open",
    fetches: "urlopen urlretrieve get post put delete request Request HTTPSConnection HTTPConnection",
    sockets: "socket create_connection connect",
    decodes: "b64decode b32decode b16decode decodebytes a85decode unhexlify fromhex decompress",
  },
  {
    names: "vim",
    lexis: { comments: [] },
    runs: "system systemlist jobstart job_start termopen term_start term_open",
    evals: "execute eval",
    deletes: "",
    removesTrees: "delete",
    reads: "readfile",
    writes: "",
    fetches: "",
    sockets: "ch_open",
    decodes: "",
  },
  {
    names: "applescript",
    lexis: { comments: ["--", ...hash] },
    runs: "script",
    evals: "",
    deletes: "",
    removesTrees: "",
    reads: "",
    writes: "",
    fetches: "",
    sockets: "",
    decodes: "",
  },
  {
    names: "node nodejs js bun deno jjs jrunscript qjs tsx ts-node mongo-js",
    lexis: { comments: slashes, backticks: "string", regex: true },
    runs: "ProcessBuilder exec execSync spawn spawnSync execFile execFileSync fork $ command Command",
    evals: "eval Function runInThisContext runInNewContext",
    deletes: "unlink unlinkSync rmdir rmdirSync removeSync",
    removesTrees: "rm rmSync rimraf rimrafSync remove",
    reads: "readFile readFileSync createReadStream readTextFile readTextFileSync file",
    writes: "writeFile writeFileSync appendFile appendFileSync createWriteStream writeTextFile writeTextFileSync",
    copies: "copyFile copyFileSync cp cpSync rename renameSync symlink symlinkSync link linkSync",
    loads: "dlopen",
    fetches: "fetch axios request get post delete del",
    sockets: "connect createConnection Socket createServer",
    decodes: "atob unescape from",
  },
  {
    names: "perl",
    lexis: { comments: hash, backticks: "command", regex: true, perlQuotes: true },
    runs: "system exec",
    evals: "eval",
    deletes: "unlink rmdir",
    removesTrees: "rmtree remove_tree",
    reads: "",
    writes: "",
    copies: "rename symlink link copy move",
    opens: "open",
    fetches: "get getstore post post_form put mirror request LWP::Simple::get LWP::UserAgent HTTP::Tiny",
    sockets: "socket connect IO::Socket::INET INET IO::Socket::INET->new IO::Socket::SSL->new",
    decodes: "decode_base64 unpack pack",
  },
  {
    names: "ruby irb pry jruby",
    lexis: { comments: hash, backticks: "command", regex: true, perlQuotes: true },
    runs: "system exec spawn popen popen2 popen2e popen3 capture2 capture2e capture3 sh",
    evals: "eval instance_eval class_eval",
    deletes: "delete unlink rmdir rm",
    removesTrees: "rm_rf rm_r rmtree remove_entry remove_dir remove_entry_secure",
    reads: "read readlines binread",
    writes: "write binwrite",
    copies: "cp cp_r mv ln_s rename copy_file install",
    loads: "dlopen",
    opens: "open new",
    fetches: "URI.open get get_response post",
    sockets: "TCPSocket TCPSocket.open TCPSocket.new UNIXSocket",
    decodes: "decode64 strict_decode64 urlsafe_decode64 unpack unpack1",
  },
  {
    names: "php",
    lexis: { comments: ["//", "#"], backticks: "command" },
    runs: "system exec shell_exec passthru popen proc_open pcntl_exec",
    evals: "eval assert create_function include include_once require require_once",
    deletes: "unlink rmdir",
    removesTrees: "",
    reads: "readfile file show_source highlight_file",
    writes: "file_put_contents",
    copies: "copy rename symlink link",
    opens: "fopen",
    fetches: "file_get_contents curl_init curl_exec",
    sockets: "fsockopen pfsockopen socket_connect socket_create socket_bind stream_socket_client stream_socket_server",
    decodes: "base64_decode hex2bin gzinflate str_rot13 gzuncompress",
  },
  {
    names: "lua luajit texlua nmap-script",
    lexis: { comments: ["--"], brackets: true },
    runs: "execute popen os.execute io.popen exec",
    evals: "load loadstring dofile",
    deletes: "remove os.remove",
    removesTrees: "",
    reads: "lines",
    writes: "",
    copies: "rename",
    loads: "loadlib",
    opens: "open",
    fetches: "http.request request",
    sockets: "tcp connect socket.connect",
    decodes: "unb64 decode",
  },
  {
    names: "awk gawk mawk nawk original-awk bpftrace",
    lexis: { comments: hash, regex: true },
    runs: "system",
    evals: "",
    deletes: "",
    removesTrees: "",
    reads: "",
    writes: "",
    fetches: "",
    sockets: "",
    decodes: "",
    pipes: true,
  },
  {
    names:
      "r R Rscript julia octave scilab elixir erl erlang groovy scala kotlin swift java jshell slsh ghc haskell ocaml gdb-python mruby cobol gnuplot go dart nim crystal c unlisted",
    lexis: { comments: slashes, backticks: "command" },
    runs: "system system2 execl execlp execv Process.new ProcessBuilder Command shell run os:cmd cmd exec execute process Process execvp run-shell-command run-program shell-command call-process start-process popen callCommand rawSystem readProcess spawn command esyscmd syscmd Sys.command write18 term shell.exec pipe unix dos runCommand",
    evals: "eval parse",
    deletes: "unlink file.remove rm delete-file",
    removesTrees:
      "delete-directory removeDir Delete RemoveAll remove_dir_all rm_rf rm_r deleteRecursively deleteDirectory deleteDir del_dir_r",
    reads: "readLines readFile ReadFile os.Open slurp",
    writes: "writeLines write-file write-region",
    opens: "open fopen",
    fetches: "download.file url url-retrieve getURL Get Post PostForm NewRequest",
    sockets:
      "socketConnection make.socket connect gen_tcp:connect make-network-process Dial Socket tcp TCPSocket net.Socket TcpStream",
    decodes: "base64decode base64-decode-string",
  },
  {
    names: "clisp sbcl emacs lisp guile scheme racket clojure",
    lexis: { comments: [";;"], dashes: true },
    runs: "system system* sh shell run exec process process* popen open-pipe shell-command shell-command-to-string async-shell-command eshell-command call-process call-process-shell-command start-process start-process-shell-command make-process process-lines run-program run-shell-command execute-shell-command term ansi-term compile",
    evals: "eval load-string eval-string read-from-string",
    deletes: "delete-file unlink delete-file-at delete",
    removesTrees: "delete-directory delete-directory-and-files delete-directory-tree delete-file-recursively",
    reads: "slurp insert-file-contents find-file find-file-literally read-file file->string call-with-input-file load",
    writes: "spit write-region write-file append-to-file copy-file rename-file make-symbolic-link",
    fetches: "url-retrieve url-retrieve-synchronously url-copy-file",
    sockets: "make-network-process open-network-stream",
    decodes: "base64-decode-string base64decode",
  },
];
