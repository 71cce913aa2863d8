import { expect, test } from "bun:test";
import { namedProgram, readings } from "./named-program.ts";

test.each([
  ["git", "git_push", { remote: "origin", refspec: "+main:main" }, "git push origin +main:main"],
  ["git", "git_push", { force: true, branch: "main" }, "git push origin main --force"],
  ["git", "git_reset", { mode: "hard", commit: "HEAD~2" }, "git reset HEAD~2 --hard"],
  ["git", "git_stash", { mode: "clear" }, "git stash clear"],
  ["git", "git_stash", { operation: "drop" }, "git stash drop"],
  ["git", "git_branch", { operation: "delete", name: "x" }, "git branch --delete x"],
  ["git", "git_update_ref", { ref: "refs/heads/main", delete: true }, "git update-ref refs/heads/main --delete"],
  ["git", "filter_branch", { args: ["--all"] }, "git filter-branch --all"],
  ["docker", "remove_volume", { volume_name: "data", force: true }, "docker volume rm data --force"],
  ["docker", "prune", { target: "volumes" }, "docker volume prune volumes"],
  ["docker", "run_container", { image: "a", binds: ["/etc:/e"] }, "docker run -v /etc:/e a"],
  ["docker", "run", { image: "a", volumes: { "/": { bind: "/h" } } }, "docker run -v /:/h a"],
  ["docker", "run", { image: "a", mounts: [{ source: "/", target: "/h" }] }, "docker run -v /:/h a"],
  ["docker", "run", { image: "a", pid_mode: "host", cap_add: ["ALL"] }, "docker run --pid=host --cap-add=ALL a"],
  ["azure", "keyvault", { command: "keyvault_secret_get" }, "az keyvault secret show"],
  ["systemd", "manage", { action: "disable", unit: "auditd" }, "systemctl disable auditd"],
  ["rsync", "sync", { source: "/home/", destination: "h.test:/x" }, "rsync sync /home/ h.test:/x"],
  ["k8s", "pods_delete", { name: "web", namespace: "prod" }, "kubectl delete pods web --namespace=prod"],
  ["k8s", "resources_delete", { kind: "Namespace", name: "prod" }, "kubectl delete namespace prod"],
  ["kubernetes", "kubectl_generic", { command: "delete", flags: { all: true } }, "kubectl delete --all"],
  ["kubernetes", "node_management", { operation: "drain", nodeName: "n1" }, "kubectl drain node n1"],
  ["aws", "ec2_terminate_instances", { InstanceIds: ["i-1"] }, "aws ec2 terminate-instances --instance-ids i-1"],
  [
    "aws",
    "use_aws",
    { service: "ec2", operation: "TerminateInstances", parameters: { InstanceIds: ["i-1"] } },
    "aws ec2 terminate-instances --instance-ids i-1",
  ],
  ["aws", "boto3", { service: "s3", method: "delete_bucket" }, "aws s3api delete-bucket"],
  ["azure", "group_delete", { name: "prod" }, "az group delete prod"],
  ["terraform", "ExecuteTerraformCommand", { command: "destroy" }, "terraform destroy"],
])("%s/%s %j is `%s`", (server, tool, input, line) => {
  expect(namedProgram(server, tool, input)?.join(" ")).toBe(line);
});

test.each([
  ["git", "git_log", {}],
  ["slack", "post_message", { text: "git push --force" }],
])("%s/%s %j", (server, tool, input) => {
  expect(namedProgram(server, tool, input)?.join(" ")).toBe(server === "git" ? "git log" : undefined);
});

test("a line of a container's tool is words of that program, a command in the container, or either", () => {
  expect(readings("docker", "rm -f web", {})).toEqual(["docker rm -f web"]);
  expect(readings("docker", "rm -rf /", { container: "web" })).toEqual(["rm -rf /"]);
  expect(readings("kubectl", "shred /x", {})).toEqual(["kubectl shred /x", "shred /x"]);
  expect(readings("git", "rm -r src", {})).toEqual(["git rm -r src"]);
  expect(readings("az", "group delete --name jazz", {})).toEqual(["az group delete --name jazz"]);
  expect(readings(undefined, "ls", {})).toEqual(["ls"]);
});
