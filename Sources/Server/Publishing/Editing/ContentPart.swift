public import ContentModel

/// The name of a part of a content folder that can be edited separately.
public enum ContentPartName: Hashable, Sendable {
    /// A question of a bank: the language of a placement test, or `region/exam`.
    case question(id: String, bank: String)
    /// An announcement, by its identifier.
    case announcement(Int)
    /// A file in `assets`, by its path there.
    case asset(String)
}

/// A part of a content folder.
public struct ContentPart: Sendable {
    /// The name.
    public let name: ContentPartName
    /// The file, relative to the content folder.
    public let file: String
    /// The bytes of the whole file.
    public let fileBytes: [UInt8]
    /// The start of the part in the file.
    public let position: SourcePosition
    /// The value in the file; `nil` for an asset that is neither JSON nor YAML.
    public let value: JSONValue?
    /// The path from the document's root to the part.
    let path: [DocumentStep]

    /// Returns the change that replaces the part's value.
    ///
    /// All other bytes of the file stay unchanged, including comments. The value is written in the style of its
    /// surroundings; in a map or list, only the differences are written.
    ///
    /// - Throws: `PublishingError` `invalidRequest` if the part is not a document, or its value cannot be replaced
    ///   separately, for example because a YAML alias shares it.
    public func replaced(by value: JSONValue) throws -> ContentChange {
        guard self.value != nil else {
            throw PublishingError(
                .invalidRequest, "\(file) is no document; replace its bytes.")
        }
        let text = try SourceText(fileBytes, file: file)
        return ContentChange(
            file: file, before: Checksum(of: fileBytes),
            bytes: try text.replacing(path, with: value))
    }

    /// Returns the change that replaces the bytes of the whole file, such as an image.
    public func replaced(byFile bytes: [UInt8]) -> ContentChange {
        ContentChange(file: file, before: Checksum(of: fileBytes), bytes: bytes)
    }
}

/// A change to a content folder: new bytes for one file.
public struct ContentChange: Sendable, Hashable {
    /// The file, relative to the content folder.
    public let file: String
    /// The checksum of the bytes before the change.
    public let before: Checksum
    /// The new bytes.
    public let bytes: [UInt8]
}
