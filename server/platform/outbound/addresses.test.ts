import { describe, expect, test } from "vitest";
import { createAddressRules, literalAddress } from "./addresses.ts";

const mayGoTo = createAddressRules({ allowedNetworks: [], allowedPorts: [443] })(443);

/** Judges a URL's host as a request would. */
const mayGoToUrl = (url: string): boolean => {
  const literal = literalAddress(new URL(url).hostname);
  return literal === null || mayGoTo(literal);
};

describe("addresses that are not publicly routable are refused", () => {
  test.each([
    ["this network", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["shared (CGNAT)", "100.64.0.1"],
    ["shared (CGNAT)", "100.127.255.255"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["link-local", "169.254.0.1"],
    ["cloud metadata", "169.254.169.254"],
    ["cloud platform", "168.63.129.16"],
    ["protocol assignments", "192.0.0.1"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["6to4 relay", "192.88.99.1"],
    ["benchmarking", "198.18.0.1"],
    ["benchmarking", "198.19.255.255"],
    ["multicast", "224.0.0.1"],
    ["multicast", "239.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["documentation, its end", "203.0.113.255"],
    ["documentation (multicast)", "233.252.0.1"],
    ["AS112", "192.31.196.1"],
    ["AS112", "192.175.48.1"],
    ["relays", "192.52.193.1"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["IPv4-compatible", "::8.8.8.8"],
    ["IPv4-compatible", "::7f00:1"],
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped, of a public one too", "::ffff:8.8.8.8"],
    ["IPv4-translated", "::ffff:0:808:808"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64, of a public one too", "64:ff9b::808:808"],
    ["NAT64 in dotted decimal", "64:ff9b::127.0.0.1"],
    ["NAT64 for local use", "64:ff9b:1::1"],
    ["6to4, of a public one too", "2002:808:808::1"],
    ["6to4", "2002:7f00:1::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["discard", "100::1"],
    ["documentation", "2001:db8::1"],
    ["documentation", "3fff::1"],
    ["benchmarking", "2001:2::1"],
    ["ORCHID, first version", "2001:10::1"],
    ["ORCHID", "2001:20::1"],
    ["ORCHID, its end", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["protocol assignments", "2001:1::1"],
    ["documentation, its end", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["segment routing", "5f00::1"],
    ["unique local", "fc00::1"],
    ["unique local", "fd12:3456:789a::1"],
    ["link-local", "fe80::1"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["unassigned", "4000::1"],
    ["with a zone", "fe80::1%eth0"],
    ["no address", "localhost"],
    ["no address", ""],
    ["no address", "127.1"],
  ])("%s: %s", (_, address) => {
    expect(mayGoTo(address)).toBe(false);
  });

  test.each([
    ["decimal", "https://2130706433/"],
    ["hexadecimal", "https://0x7f000001/"],
    ["hexadecimal parts", "https://0x7f.0x0.0x0.0x1/"],
    ["octal", "https://017700000001/"],
    ["octal parts", "https://0177.0.0.01/"],
    ["octal and decimal parts", "https://0300.0250.0.1/"],
    ["three parts", "https://192.168.257/"],
    ["a hexadecimal part and a short end", "https://0x7f.1/"],
    ["ideographic full stops", "https://127。0。0。1/"],
    ["circled digits", "https://①②⑦.0.0.1/"],
    ["short", "https://127.1/"],
    ["short zero", "https://0/"],
    ["with a dot at the end", "https://127.0.0.1./"],
    ["full-width digits", "https://１２７.０.０.１/"],
    ["encoded", "https://%31%32%37.0.0.1/"],
    ["IPv6", "https://[::1]/"],
    ["IPv6 in full", "https://[0:0:0:0:0:0:0:1]/"],
    ["IPv4-mapped", "https://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped in hexadecimal", "https://[::ffff:7f00:1]/"],
    ["IPv4-mapped in full", "https://[0:0:0:0:0:ffff:127.0.0.1]/"],
    ["IPv4-compatible", "https://[::127.0.0.1]/"],
    ["NAT64", "https://[64:ff9b::7f00:1]/"],
    ["6to4", "https://[2002:7f00:1::]/"],
    ["Teredo", "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/"],
    ["ORCHID", "https://[2001:20::1]/"],
  ])("however a URL spells it: %s", (_, url) => {
    expect(mayGoToUrl(url)).toBe(false);
  });
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "93.184.216.34",
  "172.15.0.1",
  "172.32.0.1",
  "100.63.0.1",
  "2606:4700:4700::1111",
  "2a00:1450::1",
])("publicly routable addresses are allowed: %s", (address) => {
  expect(mayGoTo(address)).toBe(true);
});

test("only listed networks are exempt", () => {
  const exempting = createAddressRules({ allowedNetworks: ["10.1.0.0/16", "fd00:1::/32"], allowedPorts: [443] })(443);
  expect(["10.1.0.1", "10.1.255.255", "fd00:1::5", "8.8.8.8"].map(exempting)).toEqual([true, true, true, true]);
  expect(["10.2.0.1", "127.0.0.1", "fd00:2::5", "::ffff:10.1.0.1"].map(exempting)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("public addresses are allowed on listed ports only, listed networks on any", () => {
  const ruleFor = createAddressRules({ allowedNetworks: ["10.1.0.0/16"], allowedPorts: [443, 8443] });
  for (const port of [443, 8443])
    expect(["8.8.8.8", "10.1.0.1", "10.2.0.1"].map(ruleFor(port))).toEqual([true, true, false]);
  for (const port of [1, 442, 8442, 8444]) {
    expect(["8.8.8.8", "10.1.0.1", "10.2.0.1"].map(ruleFor(port))).toEqual([false, true, false]);
  }
});

test("a host name is not a literal address", () => {
  expect(literalAddress("example.com")).toBeNull();
  expect(literalAddress("localhost")).toBeNull();
});
