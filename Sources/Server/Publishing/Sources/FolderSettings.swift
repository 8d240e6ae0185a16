import ContentModel

/// The settings in a content folder's `underway.yaml`.
struct FolderSettings: Hashable, Sendable {
    /// The name of the settings file, which also marks a content folder.
    static let fileName = "underway.yaml"

    /// The display name of the library.
    var name: String
    /// The base address in the manifest, if the host is known.
    var contentBaseURL: String?
    /// The number of releases whose objects are kept.
    var keptReleases: Int
    /// The languages in which each announcement must be written.
    var announcementLanguages: [String]
    /// The shipped versions of the app that must be able to read the content.
    var support = AppSupport()
    /// The sections for accounts and user data.
    var userData = UserDataSettings()

    /// The default of `keptReleases`.
    static let keptReleasesDefault = 5

    static func read(_ node: DocumentNode, report: DecodingReport) -> FolderSettings? {
        let fields: Set<String> = [
            "name", "contentBaseUrl", "keepReleases", "announcements", "collections", "accounts",
            "supports", "unsupported",
        ]
        guard let reader = ObjectReader(node, fields: fields, report: report),
            let name = reader.requiredString("name")
        else { return nil }
        let kept = reader.integer("keepReleases") ?? keptReleasesDefault
        if !(1...1000).contains(kept), let node = reader.node("keepReleases") {
            report.note(
                .invalidValue, at: node.position, "\"keepReleases\" must be from 1 to 1000")
        }
        var languages: [String] = []
        if let node = reader.node("announcements"),
            let section = ObjectReader(node, fields: ["languages"], report: report)
        {
            languages = section.strings("languages") ?? []
        }
        return FolderSettings(
            name: name, contentBaseURL: readAddress(reader), keptReleases: kept,
            announcementLanguages: languages, support: AppSupport.read(reader),
            userData: UserDataSettings.read(
                collections: reader.node("collections"), accounts: reader.node("accounts"),
                report: report))
    }

    /// Reads an address that devices accept: they ignore any other, and use only the host that they
    /// know.
    private static func readAddress(_ reader: ObjectReader) -> String? {
        guard let node = reader.node("contentBaseUrl"),
            let text = reader.string("contentBaseUrl")
        else { return nil }
        let isAddress = text.utf8.count <= addressBytesMax && text.wholeMatch(of: address) != nil
        if isAddress, ReleaseReader.isUsable(contentBaseURL: text, from: "http://") { return text }
        reader.report.note(
            .invalidValue, at: node.position,
            "\"contentBaseUrl\" is not an address that devices use",
            hint: "Write a web address without query or fragment, such as"
                + " https://cdn.example.org/content/v2, or leave it out.")
        return nil
    }

    private static let addressBytesMax = 2_048

    /// The pattern of scheme, host, port and path (RFC 3986, in ASCII); no user, query or fragment,
    /// since paths are appended.
    private static var address: Regex<Substring> {
        /https?:\/\/(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::[0-9]{1,5})?(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@\/-]|%[0-9A-Fa-f]{2})*)?/
    }
}
