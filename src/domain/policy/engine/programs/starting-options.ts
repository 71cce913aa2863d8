/**
 * Options that name a program, a library, or settings and build files that name one, by program; `@` stands for a file
 * of more options. What `named` holds anyway is left out.
 */
export const startingOptions = new Map<string, ReadonlySet<string>>();
const naming = (programs: string, options: string): void => {
  for (const program of programs.split(" ")) startingOptions.set(program, new Set(options.split(" ")));
};
naming("ssh sshd", "-F -I -f");
naming("scp", "-F -S");
naming("sftp", "-F -S -D");
naming("ssh-add", "-s");
naming("ssh-keygen", "-D");
naming("openssl", "-engine -provider-path -config");
naming("awk gawk", "-l");
naming("ld", "-plugin");
naming("mysql mariadb", "--plugin-dir --defaults-file --defaults-extra-file");
naming("sqlite3", "-init");
naming("tcpdump", "-z");
naming("tshark wireshark", "-X");
naming("nmap", "--script --datadir");
naming("go", "-C -vettool -toolexec -exec -modfile -overlay");
naming("gem", "-e");
naming("curl", "-K --config");
naming("wget", "--config");
naming("logrotate ldconfig apache2 apachectl httpd rsyslogd haproxy lighttpd", "-f");
naming("nginx caddy", "-c -p --config --prefix");
naming("dosbox snap flatpak", "-c");
naming("gcc g++ cc c++ clang clang++ tcc", "-B -specs -fplugin @");
naming("rustc ghc", "@");
naming("javac", "-processorpath --processor-path @");
naming("sphinx-build", "-c");
naming(
  "java",
  "-jar -cp -classpath --class-path -javaagent -agentpath -Xbootclasspath/a -XX:Flags -XX:VMOptionsFile @",
);
naming("node tsx ts-node nodemon", "-r --require --import --loader --experimental-loader");
naming("bun deno", "-r --preload --config -c --import-map");
naming("mocha ava tap", "-r --require --import --config --file");
naming("ruby jruby", "-r -I");
naming("perl", "-I -Mlib");
naming("php", "-c -z");
naming("make gmake", "-I --include-dir -C --directory");
naming(
  "gradle gradlew",
  "-I --init-script -b --build-file -c --settings-file --include-build -p --project-dir -g --gradle-user-home",
);
naming("mvn mvnw", "-f --file -s --settings -gs --global-settings -t --toolchains");
naming("ant scons buildout rake invoke", "-f -buildfile --rakefile --file -c");
naming("just task doit", "-f --justfile -t --taskfile -d --dir --working-directory");
naming("bazel bazelisk", "--bazelrc");
naming("cargo", "--config --manifest-path -C --path");
naming("cmake", "-P -S -C -H");
naming("ctest", "-S --script");
naming("hatch rye", "-p --project");
naming("guix", "-f -C -l -L --file --channels --load-path");
naming("dnf yum", "-c --config");
naming("gunicorn", "-c --config");
naming("forge", "--use");
naming("mdadm", "-p");
naming("ninja", "-C -f");
naming("meson", "--native-file --cross-file");
naming("npm yarn pnpm npx", "--prefix -C --cwd --dir --userconfig --globalconfig");
naming("composer", "-d --working-dir");
naming("bundle", "--gemfile");
naming("terraform tofu", "-chdir");
naming("docker podman docker-compose", "-f --file");
naming("tox nox", "-c -f --noxfile --conf");
naming("pytest", "-c --rootdir -p --confcutdir");
naming(
  "eslint prettier webpack vite vitest rollup jest babel stylelint playwright cypress nyc pre-commit mypy pylint",
  "-c --config --rulesdir --rootdir --setupFiles --globalSetup --rcfile --config-file",
);
naming("facter", "--custom-dir --external-dir");
naming("cowsay cowthink", "-f");
naming("ansible ansible-playbook", "-M --module-path");
naming("pandoc", "-L -F --lua-filter --filter");
naming("lynx", "-editor -cfg");
naming("rg", "--pre --hostname-bin");
naming("vlc", "--lua-intf");
naming("zip", "-TT");
naming("gdb", "-x");
naming("dlv", "--init");
naming("man", "-C");
naming("nano", "-f --rcfile");
naming("vd visidata", "-p --play --config");
naming("code cursor codium windsurf", "--extensionDevelopmentPath --extensions-dir");
naming("r2 radare2 rizin", "-i");
naming("perf", "-s");
naming("sysdig", "-c");
naming("fzf", "--bind");
naming("emacs", "-l -load --load");
naming("screen", "-c");
naming("tmux", "-f");
naming("msfconsole", "-r -m");
naming("Rscript R", "-f --file");
naming("protoc", "--plugin");
naming("systemctl", "--root");
naming("sudo", "-A");
naming("mosh", "--ssh");
naming("debugfs crash jtag", "-R -i -x");
naming("rspec", "-r --require");
naming("wg-quick opkg fastfetch iftop procmail mutt minicom", "up -c -F -m -S");
