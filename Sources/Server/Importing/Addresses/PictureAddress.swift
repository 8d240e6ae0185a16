import WebTransfer

/// The rules for the address of a picture, such as `https://host.example/a.png`.
enum PictureAddress {
    /// The maximum length, in UTF-8 bytes.
    static let bytesMax = 2048
    /// The maximum number of characters that a message shows.
    private static let shownMax = 200

    /// Returns true for a reference that leads out of the file and its folder.
    static func isAddress(_ reference: String) -> Bool { reference.contains("://") }

    /// Returns why an address is never fetched; `nil` for one that may be.
    ///
    /// As everywhere else, plain HTTP is for this machine alone.
    static func refusal(_ address: String) -> String? {
        guard address.utf8.count <= bytesMax else {
            return "the address is longer than \(bytesMax) bytes"
        }
        guard let origin = WebOrigin(address) else {
            return "this is no address of a web server, or it names a user"
        }
        return origin.isSecure ? nil : "it is not https"
    }

    /// Returns an address for a message.
    static func shown(_ address: String) -> String {
        address.count > shownMax ? address.prefix(shownMax) + "…" : address
    }
}

extension ImportedDrafts {
    /// Puts the fetched pictures in place of their addresses, and lists all addresses.
    mutating func addFetched(_ fetched: FetchedPictures?) {
        self.fetched = fetched
        var seen: Set<String> = []
        for index in drafts.indices {
            let named = drafts[index].addresses.filter { media[$0] == nil }
            guard !named.isEmpty else { continue }
            addresses += named.filter { seen.insert($0).inserted }
            for address in named {
                guard let file = fetched?.files[address] else { continue }
                media[file.name] = file.bytes
                drafts[index].replaceImage(address, by: file.name)
            }
        }
    }

    /// Returns why a question is skipped that shows a picture which was not fetched; `nil` for another question.
    func addressReason(_ draft: QuestionDraft) -> String? {
        guard let address = draft.addresses.first(where: { media[$0] == nil }) else { return nil }
        let shown = "it shows \"\(PictureAddress.shown(address))\", which "
        if let reason = fetched?.failures[address] { return shown + "was not fetched: " + reason }
        if let reason = PictureAddress.refusal(address) {
            return shown + "is not fetched: " + reason
        }
        return shown + "--fetch-media fetches"
    }
}

extension QuestionDraft {
    /// The addresses of the pictures that the question shows.
    fileprivate var addresses: [String] {
        ([image] + options.map(\.image)).compactMap(\.self).filter(PictureAddress.isAddress)
    }

    fileprivate mutating func replaceImage(_ address: String, by name: String) {
        if image == address { image = name }
        for index in options.indices where options[index].image == address {
            options[index].image = name
        }
    }
}
