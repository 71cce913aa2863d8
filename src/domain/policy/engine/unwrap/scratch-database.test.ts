import { expect, test } from "bun:test";
import { findings } from "../findings.ts";

const acts = (command: string): string[] =>
  findings({ type: "shell", command }).facts.flatMap(fact => (fact.kind === "sql" ? [fact.does] : []));

test.each([
  "sqlite3 :memory: 'create table a(x); drop table a;'",
  `bash -c "sqlite3 :memory: 'drop table a'"`,
  "sqlite3 /tmp/try.db 'delete from a; drop table a'",
  "psql -d shop_test -c 'TRUNCATE users RESTART IDENTITY CASCADE'",
  "psql postgres://localhost:5432/shop_test?sslmode=disable -c 'drop table users'",
  "psql -h localhost -c 'DROP DATABASE IF EXISTS shop_test'",
  "mysql -uroot shop_test -e 'delete from users'",
  "docker compose exec -T db psql -U app -d app_test -c 'TRUNCATE TABLE users'",
  "psql shop_test <<< 'drop table users;'",
])("%s loses nothing that was to be kept", command => {
  expect(acts(command)).toEqual([]);
});

test.each([
  "sqlite3 :memory: \"attach 'app.db' as p; drop table p.users\"",
  "sqlite3 :memory: \"attach 'app.db' as p\" 'drop table users'",
  "sqlite3 :memory: '.open app.db' 'drop table users'",
  "sqlite3 -init a.sql :memory: 'drop table users'",
  "sqlite3 /tmp/../srv/app.db 'drop table users'",
  "sqlite3 /tmp/$X 'drop table users'",
  "sqlite3 app.db 'drop table users'",
  "ln -s /srv/app.db /tmp/a.db; sqlite3 /tmp/a.db 'drop table users'",
  "psql -d shop_test -c '\\c shop' -c 'drop table users'",
  "psql -d shop_test -c 'DROP DATABASE shop'",
  "psql -d shop_test -c 'DROP TABLE shop.public.users'",
  'psql -d shop_test -c "drop table $T"',
  "psql -d shop -c 'drop table users_test'",
  "psql -d latest -c 'drop table users'",
  "psql -c 'DROP DATABASE shop_test; DROP DATABASE shop'",
  "mysql shop_test -e 'use shop; drop table users'",
  "mysql shop_test -e 'drop table shop.users'",
])("%s does", command => {
  expect(acts(command)).not.toEqual([]);
});
