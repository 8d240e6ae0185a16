#if canImport(SwiftUI) && canImport(AVFoundation) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// A clip with its title and the button that plays or pauses it.
struct ClipRow: View {
    private let clip: QuestionClip
    private let player: ClipPlayer
    private let hasKey: Bool
    private let bytes: @MainActor () async -> [UInt8]?
    @State private var pressed: Checksum?
    @Environment(\.studyFormats) private var formats
    @Environment(\.contentLanguage) private var language
    @Environment(\.usesStudyKeys) private var usesKeys

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - clip: The clip.
    ///   - player: The player, common to all clips of a screen.
    ///   - hasKey: True for the clip of a question, which the key `p` plays.
    ///   - bytes: Reads the file.
    init(
        _ clip: QuestionClip, player: ClipPlayer, hasKey: Bool = false,
        bytes: @escaping @MainActor () async -> [UInt8]?
    ) {
        self.clip = clip
        self.player = player
        self.hasKey = hasKey
        self.bytes = bytes
    }

    var body: some View {
        let title = clip.shownTitle(formats.words)
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            HStack(spacing: StudyStyle.gap) {
                if clip.isOnDevice { button(title) }
                QuestionText([TextPiece(words: title)])
                    .environment(\.contentLanguage, clip.title == nil ? nil : language)
                    .frame(maxWidth: .infinity, alignment: .leading)
                    .accessibilityHidden(clip.isOnDevice)
            }
            if !clip.isOnDevice || player.failed == clip.checksum {
                Text(verbatim: formats.words["session.clipMissing"]).font(StudyStyle.small)
                    .foregroundStyle(StudyColor.soft)
            }
        }
        .performs($pressed) { [player, bytes] in await player.press($0, bytes: bytes) }
    }

    private func button(_ title: String) -> some View {
        let isPlaying = player.playback.isPlaying(clip.checksum)
        return Button(
            formats.words[isPlaying ? "session.pause" : "session.play"],
            systemImage: isPlaying ? "pause.fill" : "play.fill"
        ) {
            pressed = clip.checksum
        }
        .labelStyle(.iconOnly)
        .buttonStyle(.studyOutlined)
        .frame(minWidth: StudyStyle.targetMin, minHeight: StudyStyle.targetMin)
        .keyboardShortcut(hasKey && usesKeys ? KeyboardShortcut("p", modifiers: []) : nil)
        .accessibilityValue(title)
    }
}
#endif
