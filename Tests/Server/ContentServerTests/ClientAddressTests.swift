import Testing

@testable import ContentServer

@Suite struct ClientAddressTests {
    @Test(arguments: [
        ("1.2.3.4", "1.2.3.4"), ("1.2.3.4:567", "1.2.3.4"), (" 1.2.3.4 ", "1.2.3.4"),
        ("::ffff:1.2.3.4", "1.2.3.4"), ("[::ffff:1.2.3.4]:80", "1.2.3.4"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2/64"), ("fe80::1%eth0", "fe80:0:0:0/64"),
    ])
    func anIPv6AddressCountsByItsNetwork(text: String, expected: String) throws {
        #expect(try #require(ClientAddress(text)).network == expected)
    }

    @Test(arguments: ["", "unknown", "_hidden", "1.2.3", "1.2.3.4.5", "[::1", "a:b", "::1::"])
    func whatIsNoAddressIsNone(text: String) { #expect(ClientAddress(text) == nil) }

    @Test func theLoopbackIsKnown() throws {
        for text in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(try #require(ClientAddress(text)).isLoopback)
        }
        for text in ["128.0.0.1", "::2", "1::1"] {
            #expect(!(try #require(ClientAddress(text)).isLoopback))
        }
    }

    private func client(_ trust: ProxyTrust, _ connected: String, _ forwarded: String?) -> String? {
        ClientAddress(connected).map { trust.client($0, forwarded: forwarded).network }
    }

    @Test func nobodyIsBelievedUnlessTold() {
        #expect(client(.nobody, "9.9.9.9", "1.1.1.1") == "9.9.9.9")
        let proxy = ProxyTrust.addresses(["10.0.0.1"])
        #expect(client(proxy, "9.9.9.9", "1.1.1.1") == "9.9.9.9")
        #expect(client(proxy, "10.0.0.1", "1.1.1.1") == "1.1.1.1")
        #expect(client(proxy, "10.0.0.1", nil) == "10.0.0.1")
    }

    /// What a client writes itself comes first; a proxy adds at the end.
    @Test func onlyTheLastEntryIsBelieved() {
        #expect(client(.everybody, "9.9.9.9", "7.7.7.7, 1.1.1.1") == "1.1.1.1")
        #expect(client(.everybody, "9.9.9.9", "7.7.7.7, nonsense") == "9.9.9.9")
        let chain = ProxyTrust.addresses(["10.0.0.1", "10.0.0.2"])
        #expect(client(chain, "10.0.0.1", "7.7.7.7, 1.1.1.1, 10.0.0.2") == "1.1.1.1")
    }
}
