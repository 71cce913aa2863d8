/** Programs by which files are shown or made that were not made for it (GTFOBins: file read, file write). */
import { file } from "./effects.ts";
import type { Job } from "./row.ts";

/**
 * Programs that are made for something else than showing or making files, yet show a file they are given (in an error
 * message, a listing, a converted copy) or write one: nobody needs them to look at `/etc/shadow`, so whoever does hides it.
 */
export const unusual: ReadonlySet<string> = new Set(
  `ab agetty alpine apache2 apache2ctl apachectl ar arj arp as ascii-xfr ascii85 aspell asterisk atobm autoconf autoheader
  bashbug base58 basez bconsole bee borg bridge bundle busctl c89 c99 cancel cc certbot clamscan clang clang++ cobc
  cpan cpio crash csvtool cupsfilter debugfs dhclient dialog dig distcc dmidecode dmsetup dnsmasq dos2unix dosbox dvips
  easy_install eb ebtables efax emacs enscript eqn espeak exiftool expect facter fail2ban-client fastfetch ffmpeg figlet finger
  fping g++ gcc gcore genie genisoimage ghc gimp ginsh gnuplot grc groff gs gtester hashcat hg highlight hping3 httpd iftop
  ip ispell jjs joe jrunscript jtag julia knife ksshell last lastb latex latexmk ldconfig less-open lessecho lessfile lessopen
  links lualatex lwp-download lwp-request lynx lp lpr logrotate logsave look m4 mail man minicom mkisofs mosquitto mosquitto_pub
  msfconsole msgattrib msgcat msgcomm msgconv msgen msgexec msgfilter msgfmt msgmerge msgunfmt msguniq mtr mutt mypy nasm ncdu
  ncftp needrestart neofetch nft nginx nm nmap nroff ntpdate objdump octave octave-cli openvpn openvt opkg pandoc pax pdb
  pdflatex pdftex pdftotext perlbug pg pic pidstat pinfo plymouth poetry postfix procmail psftp ptardiff ptx pygmentize
  pyright qpdf rake ranger readelf redcarpet redis-server restic rlwrap rpmdb rpmquery rpmverify rspec rsyslogd rtorrent
  run-mailcap rustc rustdoc rustfmt scanmem screen scrot sg slsh smbclient soelim splint sqlmap ss ssh-agent ssh-keyscan sshfs
  sshuttle strace systemd-resolve tasksh tbl tcpdump tdbtool tex tic tidy timedatectl tmate troff trivy tshark ul unsquashfs
  update-alternatives urlget uudecode uuencode vagrant valgrind varnishncsa view vigr vipw virsh volatility w3m wall watchexec
  wg-quick whiptail whois wireshark wish xdg-open xelatex xetex xmodmap xmore xpad xxencode yasm yelp zathura zic zsoelim`
    .split(/\s+/)
    .filter(name => name !== ""),
);

/** Options whose value is a file that is made, in whatever program. */
const writes = /^(-o|-w|-W|-O|-l|-L|-Logfile|--?out\w*|--?log\w*|--\w+-out|--junit-xml|-filename|--filename)$/;

/** A path, alone or inside `@path`, `-Fpath`, `--file=path`, `file:path`, `Include path`. */
const place = /^(?:--?[\w-]+[=:]|-[A-Za-z]|[A-Za-z][\w.+-]*(?:\/[\w.+-]+)?[=: ])?@?(?:file:(?:\/\/)?)?([/~][^\s'",;]*)/;

const DASH = 45;
const TILDE = 126;

/** Accesses to absolute paths by programs whose row does not speak of them: nothing else is known about their words. */
export function namedPlaces(job: Job): void {
  const listed = job.spec.traits.unusual;
  const end = job.rest > 0 ? job.rest : job.argv.length;
  for (let i = 1; i < end; i++) {
    const word = job.argv[i]!;
    const { text } = word;
    if (!text.includes("/") || text.length > 400) continue;
    const found = place.exec(text);
    if (!found || (text.includes("://") && !text.includes("file:"))) continue;
    const path = found[1]!;
    const before = job.argv[i - 1]!.text;
    const flag = text.charCodeAt(0) === DASH ? text.slice(0, text.indexOf("=")) : before;
    // Options name the keys a tool works with (`--kubeconfig ~/.kube/config`): only system paths are told there.
    if (!listed && (path.startsWith("/dev/") || (flag.charCodeAt(0) === DASH && path.charCodeAt(0) === TILDE)))
      continue;
    file(job, { ...word, text: path }, writes.test(flag) ? "write" : "read");
  }
}
