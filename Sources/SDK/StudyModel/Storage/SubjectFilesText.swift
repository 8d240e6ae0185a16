import Underway

extension SubjectFiles {
    /// The key of the heading above the files.
    public var headingKey: String { "subject.\(kind.key)" }

    /// The key of the button that fetches them.
    public var getKey: String {
        switch kind {
        case .audio: "subject.getAudio"
        case .pictures: "subject.getPictures"
        case .picturesAndAudio: "subject.getMedia"
        }
    }

    /// The key of the sentence after a fetch that failed.
    public var failedKey: String { "subject.\(kind.key)Failed" }

    /// Returns what is on the device, or how far a fetch is.
    public func stateSentence(_ formats: StudyFormats, isFetching: Bool) -> String {
        let bytes = [
            "bytes": formats.bytes(fetchedBytes), "totalBytes": formats.bytes(self.bytes),
            "size": formats.bytes(self.bytes),
        ]
        return formats.words.text("subject.\(stateKey(isFetching))", bytes)
    }

    private func stateKey(_ isFetching: Bool) -> String {
        if isFetching {
            return switch kind {
            case .audio: "gettingAudio"
            case .pictures: "gettingPictures"
            case .picturesAndAudio: "gettingMedia"
            }
        }
        return isComplete ? "filesHere" : fetchedCount == 0 ? "filesMissing" : "filesPart"
    }
}
