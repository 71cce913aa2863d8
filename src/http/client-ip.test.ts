import { expect, test } from "bun:test";
import { clientIp, rateKey } from "./client-ip.ts";

const forwarded = (value: string) => new Headers({ "x-forwarded-for": value });

test("nobody's X-Forwarded-For is believed by default", () => {
  expect(clientIp([])("203.0.113.9", forwarded("1.2.3.4"))).toBe("203.0.113.9");
});

test("a trusted proxy's is read from the right, past other trusted ones", () => {
  const ip = clientIp(["10.0.0.0/8", "::1"]);
  expect(ip("10.0.0.1", forwarded("6.6.6.6, 203.0.113.9, 10.1.1.1"))).toBe("203.0.113.9");
  expect(ip("::1", forwarded("2001:db8::7"))).toBe("2001:db8::7");
  expect(ip("203.0.113.1", forwarded("6.6.6.6"))).toBe("203.0.113.1");
});

test("nonsense and mapped addresses fall back to what is known", () => {
  const ip = clientIp(["10.0.0.0/8"]);
  expect(ip("::ffff:10.0.0.1", forwarded("nonsense"))).toBe("10.0.0.1");
  expect(ip("::ffff:203.0.113.5", new Headers())).toBe("203.0.113.5");
  expect(ip("10.0.0.1", new Headers())).toBe("10.0.0.1");
});

test("IPv6 is counted by its /64, however it is written; IPv4 as it is", () => {
  expect(rateKey("203.0.113.9")).toBe("203.0.113.9");
  for (const ip of ["2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002::ffff", "2001:DB8:1:2::"])
    expect(rateKey(ip)).toBe("2001:db8:1:2::/64");
  expect(rateKey("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(rateKey("::1")).toBe("0:0:0:0::/64");
  expect(rateKey("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  expect(rateKey("")).toBe("");
});
