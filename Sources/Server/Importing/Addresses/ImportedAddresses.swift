/// The pictures by address of an import, with the JSON form of `import --json`.
public struct ImportedAddresses: Sendable, Hashable, Codable {
    /// A picture that a question shows by its address.
    public struct Picture: Sendable, Hashable, Codable {
        /// The address, at most 2048 bytes of it.
        public var address: String
        /// The file in the media folder; `nil` if none was written.
        public var file: String?
        /// The length of what was fetched, in bytes; `nil` if nothing was.
        public var bytes: Int?
        /// Why there is no file; `nil` if there is one, or if nothing was fetched yet.
        public var reason: String?
    }

    /// The maximum number of listed ``pictures``.
    public static let picturesMax = 1_000

    /// The number of addresses.
    public var count: Int
    /// The number of addresses that `--fetch-media --write` would fetch; `nil` in an import that did.
    public var fetchable: Int?
    /// The first ``picturesMax`` of the pictures, each address once.
    public var pictures: [Picture]

    /// Lists addresses; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - addresses: The addresses, each once.
    ///   - fetched: What was fetched; `nil` where nothing was asked for.
    ///   - results: The imports, of which some questions may show what was fetched.
    init?(_ addresses: [String], _ fetched: FetchedPictures?, shown results: [ImportResult]) {
        guard !addresses.isEmpty else { return nil }
        count = addresses.count
        fetchable = fetched == nil ? PictureFetcher().fetchable(addresses).count : nil
        let names = Set(results.flatMap(\.media.keys))
        pictures = addresses.prefix(Self.picturesMax).map { Picture($0, fetched, shown: names) }
    }
}

extension ImportedAddresses.Picture {
    fileprivate init(_ address: String, _ fetched: FetchedPictures?, shown: Set<String>) {
        self.address = String(
            decoding: address.utf8.prefix(PictureAddress.bytesMax), as: UTF8.self)
        if let file = fetched?.files[address] {
            bytes = file.bytes.count
            if shown.contains(file.name) {
                self.file = file.name
            } else {
                reason = "no imported question shows it"
            }
        } else {
            reason = fetched?.failures[address] ?? PictureAddress.refusal(address)
        }
    }
}
