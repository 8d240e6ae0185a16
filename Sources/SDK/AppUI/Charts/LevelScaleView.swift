#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
public import SwiftUI

/// A scale of levels with the learner's mark and the likely levels.
///
/// Each level is as wide as the others: the scale shows an order, not distances.
public struct LevelScaleView: View {
    /// A level of the scale.
    public struct Step: Sendable, Hashable, Identifiable {
        /// The level's label.
        public var level: String
        /// True when the level is likely.
        public var isLikely: Bool
        /// True for the learner's level.
        public var isOwn: Bool

        /// The label.
        public var id: String { level }

        /// Creates a level.
        public init(level: String, isLikely: Bool, isOwn: Bool) {
            self.level = level
            self.isLikely = isLikely
            self.isOwn = isOwn
        }
    }

    private let steps: [Step]
    @Environment(\.studyFormats) private var formats

    /// Creates a scale of levels, the lowest first.
    public init(_ steps: [Step]) { self.steps = steps }

    /// The scale.
    public var body: some View {
        HStack(alignment: .bottom, spacing: StudyStyle.gapSmall) {
            ForEach(steps) { step in
                VStack(spacing: StudyStyle.gapSmall) {
                    if step.isOwn {
                        Text(verbatim: formats.words["result.you"]).bold()
                            .foregroundStyle(StudyColor.accent)
                    }
                    RoundedRectangle(cornerRadius: 3)
                        .fill(step.isLikely ? StudyColor.tint : .sunk)
                        .overlay {
                            RoundedRectangle(cornerRadius: 3)
                                .strokeBorder(step.isLikely ? StudyColor.accent : .line)
                        }
                        .overlay {
                            if step.isOwn {
                                Circle().fill(StudyColor.accent).frame(width: 12, height: 12)
                            }
                        }
                        .frame(height: 14)
                    Text(verbatim: step.level).fontWeight(step.isOwn ? .semibold : .regular)
                }
                .frame(maxWidth: .infinity)
            }
        }
        .font(StudyStyle.small)
    }
}
#endif
