/// The reason why no secure connection was made, and its remedy.
struct TLSDiagnosis {
    /// The reason, as far as the TLS library distinguishes it.
    enum Reason: CaseIterable {
        case expired
        case notYetValid
        case otherHost
        case selfSigned
        case unknownAuthority
        case unreadableAuthorities
        case notTLS
        case other
    }

    /// The reason.
    let reason: Reason
    /// The library's own message.
    let detail: String

    /// Finds the reason in a message of libcurl and its TLS library.
    init(_ detail: String) {
        self.detail = detail
        reason = Self.signs.first { detail.contains($0.sign) }?.reason ?? .other
    }

    /// The phrases of OpenSSL (before 3, and from 3 on) and of libcurl; the first match counts.
    private static let signs: [(sign: String, reason: Reason)] = [
        ("has expired", .expired), ("not yet valid", .notYetValid),
        ("target host name", .otherHost), ("target hostname", .otherHost),
        ("certificate in certificate chain", .unknownAuthority),
        ("self-signed certificate", .selfSigned), ("self signed certificate", .selfSigned),
        ("local issuer certificate", .unknownAuthority),
        ("setting certificate", .unreadableAuthorities),
        ("adding trust anchors", .unreadableAuthorities), ("wrong version number", .notTLS),
    ]

    /// The reason and the remedy.
    var message: String {
        switch reason {
        case .expired:
            "The server's certificate has expired, or this device's clock is wrong. Renew the certificate, or"
                + " set the clock."
        case .notYetValid:
            "The server's certificate is not valid yet, or this device's clock is wrong. Set the clock of"
                + " the device, or wait."
        case .otherHost:
            "The server's certificate is for another host name. Use an address that it names, or give the server"
                + " a certificate for this one."
        case .selfSigned:
            "The server's certificate is self-signed, so nobody vouches for it. Give the server a certificate"
                + " of an authority that this device trusts."
        case .unknownAuthority:
            "The server's certificate is of an authority that this device does not trust, or the server does"
                + " not send the certificates between them. Let the server send its whole chain, or let"
                + " this device trust the authority (on Linux in the system's certificates, or in a file that"
                + " SSL_CERT_FILE names)."
        case .unreadableAuthorities:
            "The certificates of the trusted authorities cannot be read. Is the file that SSL_CERT_FILE"
                + " names, or the system's, there and in PEM?"
        case .notTLS:
            "The server does not speak TLS at this address. Is the port right, and https?"
        case .other: "No secure connection with the server: \(detail)."
        }
    }
}
