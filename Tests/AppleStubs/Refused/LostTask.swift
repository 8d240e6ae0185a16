// Refused: main actor-isolated property 'seen' can not be mutated from a nonisolated context
import SwiftUI

@MainActor final class Progress { var seen = 0 }

struct Seen: View {
    let progress: Progress
    var body: some View { Text("Seen").task { @concurrent in progress.seen += 1 } }
}
