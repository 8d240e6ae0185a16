/// The button that Enter presses in the fields of a form, with the names of its template.
///
/// Browsers press the first submit button of a form (HTML, section 4.10.21.2), wherever it is. A form of several
/// buttons therefore begins with the one that does the expected and undoes nothing.
package struct DefaultButton {
    /// The id of its form; `nil` inside of it.
    package var form: String?
    /// The name of its field; `nil` for a form without one.
    package var name: String?
    /// The value of its field.
    package var value: String?

    /// Creates the button.
    package init(form: String? = nil, name: String? = nil, value: String? = nil) {
        self.form = form
        self.name = name
        self.value = value
    }
}
