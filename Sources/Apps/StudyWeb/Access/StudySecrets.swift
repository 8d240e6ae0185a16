import PageRendering

/// The secrets of the study app, which identify the learner.
struct StudySecrets: Sendable {
    /// The token in the printed address, which a browser exchanges for the cookie.
    let token: String
    /// The host name, the cookie and the secret of forms, which the next run may use again.
    let link: BrowserLink

    /// The value of the cookie.
    var cookie: String { link.cookie }
    /// The value that every form sends back.
    var form: String { link.form }

    /// Makes a new token of 256 bits beside a link.
    init(_ link: BrowserLink, using random: inout some RandomNumberGenerator) {
        token = PageSecrets.make(&random)
        self.link = link
    }
}
