// Refused: converting non-Sendable function value to '@MainActor @Sendable () -> Void' may introduce data races
import SwiftUI

/// A button's action runs on the main actor: the function must say so.
struct CheckButton: View {
    let check: () -> Void

    var body: some View { Button("Check", action: check) }
}
