import Testing

@testable import WebTransfer

@Suite struct TLSDiagnosisTests {
    @Test(arguments: [
        ("SSL certificate problem: certificate has expired", TLSDiagnosis.Reason.expired),
        ("SSL certificate problem: certificate is not yet valid", .notYetValid),
        ("SSL: no alternative certificate subject name matches target host name 'h'", .otherHost),
        ("SSL certificate problem: self-signed certificate", .selfSigned),
        ("SSL certificate problem: self signed certificate", .selfSigned),
        (
            "SSL certificate problem: self-signed certificate in certificate chain",
            .unknownAuthority
        ),
        ("SSL certificate problem: unable to get local issuer certificate", .unknownAuthority),
        ("error setting certificate verify locations:  CAfile: /x", .unreadableAuthorities),
        ("error adding trust anchors from file: /x", .unreadableAuthorities),
        ("error:0A00010B:SSL routines::wrong version number", .notTLS),
        ("OpenSSL SSL_connect: SSL_ERROR_SYSCALL", .other),
    ])
    func theReasonIsFound(detail: String, reason: TLSDiagnosis.Reason) {
        #expect(TLSDiagnosis(detail).reason == reason)
    }

    @Test func whatIsNotKnownIsSaidAsItIs() {
        #expect(TLSDiagnosis("no ciphers").message.contains("no ciphers."))
    }
}
