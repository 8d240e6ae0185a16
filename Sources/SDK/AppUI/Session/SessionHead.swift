#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI

/// The head of a session: close, the place among the questions, the time left, and save.
struct SessionHead: View {
    private let screen: SessionScreen
    private let close: @MainActor () -> Void
    private let save: @MainActor (Bool) -> Void
    private let overview: (@MainActor () -> Void)?
    @Binding private var hidesTime: Bool
    @Environment(\.studyFormats) private var formats
    @Environment(\.usesStudyKeys) private var usesKeys

    init(
        _ screen: SessionScreen, hidesTime: Binding<Bool>, close: @escaping @MainActor () -> Void,
        save: @escaping @MainActor (Bool) -> Void, overview: (@MainActor () -> Void)?
    ) {
        self.overview = overview
        _hidesTime = hidesTime
        self.screen = screen
        self.close = close
        self.save = save
    }

    var body: some View {
        // Without the bar there is room for large text: the place says the same in words.
        ViewThatFits(in: .horizontal) {
            row(hasBar: true)
            row(hasBar: false)
        }
        .labelStyle(.iconOnly)
        .font(StudyStyle.small)
        .padding(.horizontal, StudyStyle.gap)
        .overlay(alignment: .bottom) { Divider() }
    }

    private func row(hasBar: Bool) -> some View {
        HStack(spacing: StudyStyle.gap) {
            Button(formats.words["session.close"], systemImage: "xmark", action: close)
                .keyboardShortcut(.cancelAction)
                .frame(minWidth: StudyStyle.targetMin, minHeight: StudyStyle.targetMin)
            if hasBar {
                ProgressView(value: Double(screen.index), total: Double(max(1, screen.count)))
                    .tint(StudyColor.accent)
                    .frame(minWidth: StudyStyle.targetMin)
                    .accessibilityHidden(true)
            } else {
                Spacer()
            }
            Text(verbatim: screen.position(formats)).monospacedDigit()
                .foregroundStyle(StudyColor.soft)
                .accessibilityLabel(screen.positionName(formats))
            if let seconds = screen.secondsLeft {
                if !hidesTime { TimeLeft(seconds) }
                Button(
                    formats.words[hidesTime ? "simulation.showTime" : "simulation.hideTime"],
                    systemImage: hidesTime ? "eye" : "eye.slash"
                ) {
                    hidesTime.toggle()
                }
                .frame(minWidth: StudyStyle.targetMin, minHeight: StudyStyle.targetMin)
            }
            if let overview {
                Button(
                    formats.words["simulation.overview"], systemImage: "square.grid.3x3",
                    action: overview
                )
                .frame(minWidth: StudyStyle.targetMin, minHeight: StudyStyle.targetMin)
            }
            Button(saveTitle, systemImage: screen.isFavourite ? "star.fill" : "star") {
                save(!screen.isFavourite)
            }
            .keyboardShortcut(usesKeys ? KeyboardShortcut("s", modifiers: []) : nil)
            .frame(minWidth: StudyStyle.targetMin, minHeight: StudyStyle.targetMin)
        }
    }

    private var saveTitle: String {
        formats.words[screen.isFavourite ? "session.saved" : "session.save"]
    }
}

/// The time left of an exam, counted down on the screen; the model alone decides when it is over.
struct TimeLeft: View {
    private let seconds: TimeInterval
    @State private var shownAt = Date()
    @Environment(\.studyFormats) private var formats

    init(_ seconds: TimeInterval) { self.seconds = seconds }

    var body: some View {
        TimelineView(.periodic(from: shownAt, by: 1)) { context in
            Label(text(at: context.date), systemImage: "clock")
                .labelStyle(.titleAndIcon)
                .monospacedDigit()
        }
        .onChange(of: seconds) { shownAt = Date() }
    }

    private func text(at now: Date) -> String {
        let left = max(0, seconds - max(0, now.timeIntervalSince(shownAt)))
        return formats.timeLeft(.seconds(left))
    }
}
#endif
