public import ContentModel

/// The content of a release as Swift values, from which the kit builds the files that a host serves.
///
/// ```swift
/// var content = ReleaseContent.sample
/// content.announcements = []
/// content.assets["links.json"] = .json(#"{"en": {"privacy": "https://example.org"}}"#)
/// let server = try TestReleaseServer(content)
/// ```
public struct ReleaseContent: Sendable, Hashable {
    /// An asset: its bytes, and the time at which devices fetch it.
    public struct Asset: Sendable, Hashable {
        /// The bytes of the file.
        public var bytes: [UInt8]
        /// The time at which devices fetch it.
        public var fetchClass: AssetClass

        /// Creates an asset of bytes.
        public init(_ bytes: [UInt8], fetchClass: AssetClass = .eager) {
            self.bytes = bytes
            self.fetchClass = fetchClass
        }

        /// Makes an asset of JSON.
        public static func json(_ text: String, fetchClass: AssetClass = .eager) -> Asset {
            Asset(Array(text.utf8), fetchClass: fetchClass)
        }
    }

    /// The placement tests and question banks.
    public var blueprints: [Blueprint]
    /// The texts of the user interface by language.
    public var localizations: [String: Localization]
    /// The assets by path.
    public var assets: [String: Asset]
    /// The announcements.
    public var announcements: [Announcement]
    /// The spoken clips by language and file name.
    public var audio: [String: [String: [UInt8]]]
    /// The images of exams by `region/exam` and file name.
    public var media: [String: [String: [UInt8]]]

    /// Creates the content of a release.
    public init(
        blueprints: [Blueprint] = [], localizations: [String: Localization] = [:],
        assets: [String: Asset] = [:], announcements: [Announcement] = [],
        audio: [String: [String: [UInt8]]] = [:], media: [String: [String: [UInt8]]] = [:]
    ) {
        self.blueprints = blueprints
        self.localizations = localizations
        self.assets = assets
        self.announcements = announcements
        self.audio = audio
        self.media = media
    }

    /// A blueprint by its id, a language or `region/exam`; setting `nil` removes it.
    ///
    /// ```swift
    /// let server = try TestReleaseServer(.sample)
    /// try server.publish { $0[blueprint: "int/harbour"]?.questions[0].correct = [1] }
    /// ```
    public subscript(blueprint id: String) -> Blueprint? {
        get { blueprints.first { $0.id == id } }
        set {
            let index = blueprints.firstIndex { $0.id == id }
            switch (index, newValue) {
            case (let index?, let blueprint?): blueprints[index] = blueprint
            case (let index?, nil): blueprints.remove(at: index)
            case (nil, let blueprint?): blueprints.append(blueprint)
            case (nil, nil): break
            }
        }
    }
}
