import PageRendering

/// The access to the study app that persists across runs, so that an open page works after a restart: the cookie, the
/// secret of forms, the host name and the port.
///
/// ```swift
/// let file = DeviceFile(folder.appending(path: "study-browser.json"), initial: BrowserLink(), isSecret: true)
/// let link = await file.value
/// ```
public struct BrowserLink: Codable, Sendable, Equatable {
    /// The value of the cookie.
    let cookie: String
    /// The value that every form sends back, so that no page of another origin can send one.
    let form: String
    /// The host name of the printed address.
    ///
    /// Browsers send the cookies of a name to all its ports, so a random one keeps the cookie from every other
    /// server of the machine.
    let host: String
    /// The port of the last run; `nil` before the first.
    public var port: Int?

    /// Creates new secrets and a new name below `localhost`, which browsers resolve to this machine (RFC 6761, 6.3).
    public init() {
        var random = SystemRandomNumberGenerator()
        self.init(using: &random)
    }

    /// Creates new secrets for the numeric address, for browsers that cannot resolve names below `localhost`.
    ///
    /// All servers at 127.0.0.1 get that cookie, so such a link is for one run and must not be saved.
    public static func numeric() -> BrowserLink {
        var random = SystemRandomNumberGenerator()
        return BrowserLink(using: &random, host: "127.0.0.1")
    }

    init(using random: inout some RandomNumberGenerator, host: String? = nil) {
        cookie = PageSecrets.make(&random)
        form = PageSecrets.make(&random)
        self.host = host ?? Self.name(&random) + ".localhost"
    }

    /// Decodes a saved link.
    ///
    /// - Throws: `DecodingError` for a damaged link, so that no short or guessable text becomes a secret.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        cookie = try values.decode(String.self, forKey: .cookie)
        form = try values.decode(String.self, forKey: .form)
        host = try values.decode(String.self, forKey: .host)
        port = try values.decodeIfPresent(Int.self, forKey: .port)
        let isWhole =
            [cookie, form].allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil }
            && cookie != form && host.wholeMatch(of: /[a-z2-7]{20}\.localhost/) != nil
            && port.map { (1...65_535).contains($0) } != false
        guard isWhole else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "The link is damaged."))
        }
    }

    /// Makes a name of 100 random bits in the letters of base 32 (RFC 4648), which name a host in any case.
    private static func name(_ random: inout some RandomNumberGenerator) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        return String((0..<20).map { _ in letters[Int.random(in: 0..<32, using: &random)] })
    }
}
