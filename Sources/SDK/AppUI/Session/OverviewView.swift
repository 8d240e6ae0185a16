#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI

/// The overview of a simulated exam: its questions by state, and Hand in.
struct OverviewView: View {
    private let screen: SessionScreen
    private let open: @MainActor (Int) -> Void
    private let handIn: @MainActor () -> Void
    private let close: @MainActor () -> Void
    @State private var asksToHandIn = false
    @Environment(\.studyFormats) private var formats

    init(
        _ screen: SessionScreen, open: @escaping @MainActor (Int) -> Void,
        handIn: @escaping @MainActor () -> Void, close: @escaping @MainActor () -> Void
    ) {
        self.screen = screen
        self.open = open
        self.handIn = handIn
        self.close = close
    }

    var body: some View {
        let words = OverviewText(screen, formats)
        ScrollView {
            VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
                Text(verbatim: words.lead)
                if let seconds = screen.secondsLeft { TimeLeft(seconds) }
                LazyVGrid(
                    columns: [GridItem(.adaptive(minimum: StudyStyle.optionHeight))],
                    spacing: StudyStyle.gap
                ) {
                    ForEach(words.places) { cell($0) }
                }
                Button(action: { ask(words) }) {
                    Text(verbatim: formats.words["simulation.handIn"]).frame(maxWidth: .infinity)
                }
                .buttonStyle(.studyFilled)
            }
            .padding(StudyStyle.gapLarge)
            .frame(maxWidth: StudyStyle.sessionWidth, alignment: .leading)
            .frame(maxWidth: .infinity)
        }
        .background(StudyColor.page)
        .navigationTitle(formats.words["simulation.overview"])
        .toolbar {
            ToolbarItem(placement: .cancellationAction) {
                Button(formats.words["simulation.backToQuestion"], action: close)
            }
        }
        .confirmationDialog(
            words.openQuestion ?? "", isPresented: $asksToHandIn, titleVisibility: .visible
        ) {
            Button(formats.words["simulation.handIn"], action: handIn)
            Button(formats.words["simulation.keepAnswering"], role: .cancel) {}
        } message: {
            EmptyView()
        }
    }

    private func cell(_ place: OverviewText.Place) -> some View {
        Button(action: { open(place.id) }) {
            HStack(spacing: StudyStyle.gapSmall) {
                Text(verbatim: place.number).monospacedDigit().bold(place.isAnswered)
                if place.isFlagged { Image(systemName: "flag.fill") }
            }
            .frame(maxWidth: .infinity, minHeight: StudyStyle.targetMin)
            .background(place.isAnswered ? StudyColor.tint : .card, in: shape)
            .overlay { shape.strokeBorder(StudyColor.edge) }
            .contentShape(shape)
        }
        .buttonStyle(.plain)
        .accessibilityLabel(place.name)
    }

    private var shape: RoundedRectangle { RoundedRectangle(cornerRadius: StudyStyle.fieldRadius) }

    /// Asks the learner to confirm before open questions are handed in.
    private func ask(_ words: OverviewText) {
        if words.openQuestion == nil { handIn() } else { asksToHandIn = true }
    }
}
#endif
