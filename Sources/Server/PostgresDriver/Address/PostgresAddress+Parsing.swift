extension PostgresAddress {
    /// Parses `postgres://user:password@host:port,host:port/database?key=value&key=value`.
    ///
    /// Known keys are `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `target_session_attrs`, `connect_timeout`
    /// (seconds), `application_name` and `host` (the folder of a Unix socket, if the URL names no host).
    ///
    /// - Throws: `PostgresAddressError` with the invalid part.
    public init(_ text: String) throws(PostgresAddressError) {
        let schemes = ["postgres://", "postgresql://"]
        guard let scheme = schemes.first(where: { text.hasPrefix($0) }) else {
            throw PostgresAddressError(part: "scheme")
        }
        let parts = text.dropFirst(scheme.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var authority = place[0]
        self.init(hosts: [Host("localhost")])
        if let end = authority.lastIndex(of: "@") {
            try readUser(authority[..<end])
            authority = authority[authority.index(after: end)...]
        }
        if !authority.isEmpty { hosts = try Self.readHosts(authority) }
        if place.count == 2, !place[1].isEmpty {
            database = try Self.decode(place[1], "name of the database")
        }
        if parts.count == 2 { try readQuery(parts[1], hasHost: !authority.isEmpty) }
    }

    private mutating func readUser(_ text: Substring) throws(PostgresAddressError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        user = try Self.decode(parts[0], "user")
        if parts.count == 2 { password = HiddenText(try Self.decode(parts[1], "password")) }
    }

    private static func readHosts(_ text: Substring) throws(PostgresAddressError) -> [Host] {
        var hosts: [Host] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            hosts.append(try readHost(part))
        }
        return hosts
    }

    private static func readHost(_ text: Substring) throws(PostgresAddressError) -> Host {
        var name = text
        var port: Substring?
        if text.first == "[", let end = text.firstIndex(of: "]") {
            name = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else {
                throw PostgresAddressError(part: "host")
            }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.lastIndex(of: ":") {
            name = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        let decoded = try decode(name, "host")
        guard !decoded.isEmpty, !decoded.contains(",") else {
            throw PostgresAddressError(part: "host")
        }
        guard let port else { return Host(decoded) }
        guard let number = Int(port), (1...65_535).contains(number) else {
            throw PostgresAddressError(part: "port")
        }
        return Host(decoded, port: number)
    }

    private mutating func readQuery(
        _ text: Substring, hasHost: Bool
    ) throws(PostgresAddressError) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw PostgresAddressError(part: "list of settings") }
            let key = try Self.decode(parts[0], "list of settings")
            let value = try Self.decode(parts[1], "value of a setting")
            try set(key, value, hasHost: hasHost)
        }
    }

    private mutating func set(
        _ key: String, _ value: String, hasHost: Bool
    ) throws(PostgresAddressError) {
        let wrong = PostgresAddressError(part: "value of \(key)")
        switch key {
        case "sslmode":
            guard let mode = TLSMode(rawValue: value) else { throw wrong }
            tlsMode = mode
        case "target_session_attrs":
            guard let attributes = SessionAttributes(rawValue: value) else { throw wrong }
            sessionAttributes = attributes
        case "connect_timeout":
            guard let seconds = Int(value), (1...600).contains(seconds) else { throw wrong }
            connectTimeout = .seconds(seconds)
        case "host":
            guard !hasHost, value.hasPrefix("/") else { throw wrong }
            hosts = [Host(value)]
        case "sslrootcert": rootCertificate = value
        case "sslcert": clientCertificate = value
        case "sslkey": clientKey = value
        case "application_name": applicationName = value
        default: throw PostgresAddressError(part: "setting; it has one that is unknown")
        }
    }

    private static func decode(
        _ text: Substring, _ part: String
    ) throws(PostgresAddressError) -> String {
        guard let decoded = PercentText.decode(text) else { throw PostgresAddressError(part: part) }
        return decoded
    }
}
