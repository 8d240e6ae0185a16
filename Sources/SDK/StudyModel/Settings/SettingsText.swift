public import Foundation
import Underway

extension SettingsScreen.Sync {
    /// Returns the state of the sync as a sentence.
    ///
    /// - Parameters:
    ///   - now: The time of the screen.
    ///   - formats: The language.
    ///   - isStarting: True when a sync was started that may not run yet.
    /// - Returns: The sentence.
    public func sentence(
        now: Date, _ formats: StudyFormats, isStarting: Bool = false
    ) -> String {
        let words = formats.words
        if isStarting || isRunning { return words["settings.syncing"] }
        if unsentCount > 0 { return words.count("settings.unsent", unsentCount) }
        guard let lastSync else { return words["settings.neverSynced"] }
        return words.text("settings.allSent", ["when": formats.moment(lastSync, now: now)])
    }
}

extension SubjectFiles {
    /// Returns the space that removing the files would free, for the list of stored files.
    public func storedSentence(_ formats: StudyFormats) -> String {
        formats.words.text(
            "settings.\(kind.key)Stored",
            ["size": formats.bytes(removableBytes)])
    }

    /// Returns the name of the button that removes the files.
    public func removeName(_ words: StudyText) -> String {
        words.text("settings.removeNamed", ["subject": subject.title])
    }

    /// Returns the sentence after the files were removed.
    public func removedSentence(_ words: StudyText) -> String {
        words.text(
            "settings.\(kind.key)Removed",
            ["subject": subject.title])
    }
}

extension StudySettings.Theme {
    /// Returns the name of the colours.
    public func name(_ words: StudyText) -> String {
        switch self {
        case .system: words["settings.themeSystem"]
        case .light: words["settings.themeLight"]
        case .dark: words["settings.themeDark"]
        }
    }
}

extension SyncLog.Entry {
    /// Returns the result of a sync, in at least one sentence.
    public func sentences(_ formats: StudyFormats) -> [String] {
        let words = formats.words
        var sentences: [String] = []
        switch content {
        case .upToDate: sentences.append(words["settings.logUpToDate"])
        case .updated:
            sentences.append(words.text("settings.logUpdated", ["size": formats.bytes(bytes)]))
        case .offline: sentences.append(words["settings.logOffline"])
        case .failed: sentences.append(words["settings.logFailed"])
        case .notAsked where isFailed: sentences.append(words["settings.logFailed"])
        case .notAsked: break
        }
        if let sent, sent > 0 || sentences.isEmpty {
            sentences.append(words.count("settings.logSent", sent))
        }
        if let received, received > 0 {
            sentences.append(words.count("settings.logReceived", received))
        }
        return sentences
    }

    /// Returns the codes of the failures, for a details element; `nil` for none.
    public func codesSentence(_ words: StudyText) -> String? {
        guard !codes.isEmpty else { return nil }
        return words.text("settings.codes", ["codes": codes.joined(separator: ", ")])
    }
}
