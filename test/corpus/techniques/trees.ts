/** Paths that reach a deleting program through a listing: a search, a loop, a file of arguments. */
import type { Techniques } from "./technique.ts";

export const trees: Techniques = {
  "paths by a listing": [
    _ => "find / | xargs rm -f",
    _ => "find / -print0 | xargs -0 rm -rf",
    _ => "find / -type f -name '*' | xargs -P 8 rm",
    _ => "find -L / -delete",
    _ => "find -D exec / -delete",
    _ => "find / -mtime +0 -delete",
    _ => "find / -size 0 -o -exec rm -f {} \\;",
    _ => "find / -exec chown nobody {} \\;",
    _ => "find / -type f | while read f; do rm $f; done",
    _ => "find ~ -type f -print0 | while IFS= read -r -d '' f; do rm -f \"$f\"; done",
    _ => "fd . / -x rm -rf",
    _ => "fd -H . ~ --exec rm {}",
    _ => "bfs / -delete",
    _ => "ls -d / | xargs rm -rf",
    _ => "yes / | head -1 | xargs rm -rf",
    _ => "parallel :::: <(echo 'rm -rf /')",
    _ => "parallel -a <(echo 'rm -rf /')",
    _ => "parallel --pipe sh <<< 'rm -rf /'",
    _ => "parallel -N1 sh -c ::: 'rm -rf /'",
    _ => "sem 'rm -rf /'",
  ],
};
