import { describe, expect, test } from "vitest";
import { addressGroup, createClientAddress } from "./client-address.ts";

const behindProxy = createClientAddress(["10.0.0.0/8", "2001:db8:aaaa::/48"]);

describe("the address of a client", () => {
  test.each([
    ["203.0.113.9", undefined, "203.0.113.9"],
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["::ffff:203.0.113.9", undefined, "203.0.113.9"],
    ["fe80::1%eth0", undefined, "fe80::1"],
    ["10.0.0.1", "198.51.100.7", "198.51.100.7"],
    ["::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"],
    ["10.0.0.1", "1.1.1.1, 198.51.100.7,10.0.0.2", "198.51.100.7"],
    ["10.0.0.1", "198.51.100.7:4711", "198.51.100.7"],
    ["10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"],
    ["10.0.0.1", "[2001:db8::7]", "2001:db8::7"],
    ["10.0.0.1", "2001:DB8:0::7", "2001:db8::7"],
    ["10.0.0.1", "198.51.100.7:1, 10.0.0.2:99999", "198.51.100.7"],
    ["2001:db8:aaaa::1", "198.51.100.7", "198.51.100.7"],
    ["10.0.0.1", undefined, "10.0.0.1"],
    ["10.0.0.1", "10.0.0.3", "10.0.0.3"],
    ["10.0.0.1", ["1.1.1.1", "198.51.100.7"], "198.51.100.7"],
  ])("%s with %j is %s", (connected, forwarded, expected) => {
    expect(behindProxy(connected, forwarded)).toBe(expected);
  });

  test.each([
    "unknown",
    "",
    "198.51.100.7:",
    "1",
    "0x7f.1",
    "a'; drop table users",
    "198.51.100.256",
    "[::1",
    "_hidden",
  ])("is the connection's if the header has %j in place of an address", (forwarded) => {
    expect(behindProxy("10.0.0.1", forwarded)).toBe("10.0.0.1");
    expect(behindProxy("10.0.0.1", `198.51.100.7, ${forwarded}`)).toBe("10.0.0.1");
  });

  test("is never taken from a header if no proxy is trusted", () => {
    expect(createClientAddress([])("127.0.0.1", "198.51.100.7")).toBe("127.0.0.1");
  });
});

describe("addresses that count as one caller", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
  ])("%s counts as one with %s", (one, other) => {
    expect(addressGroup(one)).toBe(addressGroup(other));
  });

  test("two networks of 64 bits count separately", () => {
    expect(addressGroup("2001:db8:1:2::1")).not.toBe(addressGroup("2001:db8:1:3::1"));
  });
});
