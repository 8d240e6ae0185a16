// Refused: cannot convert value of type 'Binding<String?>'
import SwiftUI

struct NoteField: View {
    @State private var draft: String?

    /// A binding that ends the app when the draft becomes `nil`.
    var body: some View { TextField("Note", text: Binding($draft) ?? .constant("")) }
}
