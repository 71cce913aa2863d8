// Checks an export with code nobody here wrote: golang.org/x/mod/sumdb (note, tlog), as Debian ships it.
// In a folder with checkpoint, vkey and leaves.jsonl: chain, root, signature, and an inclusion proof of every 97th entry.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func check(err error) {
	if err != nil {
		fmt.Println("FAIL", err)
		os.Exit(1)
	}
}

func read(name string) []byte {
	data, err := os.ReadFile(name)
	check(err)
	return data
}

func signedTree() (string, tlog.Tree) {
	verifier, err := note.NewVerifier(strings.TrimSpace(string(read("vkey"))))
	check(err)
	opened, err := note.Open(read("checkpoint"), note.VerifierList(verifier))
	check(err)
	var tree tlog.Tree
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 3 || lines[0] != verifier.Name() {
		check(fmt.Errorf("the checkpoint's origin is not its key's name"))
	}
	_, err = fmt.Sscan(lines[1], &tree.N)
	check(err)
	tree.Hash, err = tlog.ParseHash(lines[2])
	check(err)
	return lines[0], tree
}

func main() {
	origin, tree := signedTree()
	var leaves [][]byte
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			out[i] = stored[index]
		}
		return out, nil
	})
	prev := strings.Repeat("0", 64)
	scanner := bufio.NewScanner(strings.NewReader(string(read("leaves.jsonl"))))
	for scanner.Scan() && int64(len(leaves)) < tree.N {
		leaf := append([]byte{}, scanner.Bytes()...)
		var entry struct {
			Seq  int
			Prev string
		}
		check(json.Unmarshal(leaf, &entry))
		if entry.Seq != len(leaves) || entry.Prev != prev {
			check(fmt.Errorf("the chain breaks at %d", len(leaves)))
		}
		hash := tlog.RecordHash(leaf)
		prev = hex.EncodeToString(hash[:])
		more, err := tlog.StoredHashes(int64(len(leaves)), leaf, reader)
		check(err)
		stored = append(stored, more...)
		leaves = append(leaves, leaf)
	}
	if int64(len(leaves)) < tree.N {
		check(fmt.Errorf("%d leaves of %d", len(leaves), tree.N))
	}
	root, err := tlog.TreeHash(tree.N, reader)
	check(err)
	if root != tree.Hash {
		check(fmt.Errorf("the root is another"))
	}
	for n := int64(0); n < tree.N; n += 97 {
		proof, err := tlog.ProveRecord(tree.N, n, reader)
		check(err)
		check(tlog.CheckRecord(proof, tree.N, tree.Hash, n, tlog.RecordHash(leaves[n])))
	}
	fmt.Printf("OK %s %d\n", origin, tree.N)
}
