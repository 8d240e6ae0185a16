// Refused: cannot convert value 'isOn' of type 'Bool' to expected type 'Binding<Bool>'
import SwiftUI

struct SettingsRow: View {
    @State private var isOn = false

    /// The value instead of its binding.
    var body: some View { Toggle("Rate answers yourself", isOn: isOn) }
}
