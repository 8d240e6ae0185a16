package import ContentModel

extension ReleasePath {
    /// The bank of this released file, a language or `region/exam`; `nil` for any other path.
    package var bank: String? {
        switch target {
        case .readable(.blueprint, let key, _), .readable(.exam, let key, _): key
        default: nil
        }
    }
}
