public import ContentModel

/// Judges a document before its generation is installed; throws to refuse the generation.
public typealias ContentDecoder =
    @Sendable (_ document: EagerDocument, _ bytes: [UInt8]) throws -> Void
