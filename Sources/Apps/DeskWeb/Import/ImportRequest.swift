import Foundation
import Importing
import PageRendering

extension DeskImport {
    /// The entered import.
    struct Request: Sendable {
        /// Our fields whose columns the form can name.
        static let columns = ["stem", "correct", "explanation"]

        var bank: String
        var format: ImportFormat?
        /// The domain of questions that name none; empty for none.
        var domain: String
        var updatesBank: Bool
        /// The reading of keys; `nil` to detect it.
        var keys: KeyReading?
        /// Whether the first row names the columns; `nil` to detect it.
        var hasHeader: Bool?
        /// The name of a table's separator; `nil` to detect it.
        var separator: String?
        /// What becomes of letters before options; `nil` to detect it.
        var letters: LetterRule?
        /// The columns that the author named, by our fields.
        var mapping: [String: String]
        var text: String
        /// The file in place of the text.
        var file: FormFile?

        init(_ form: FormFields) {
            bank = form["bank"] ?? ""
            format = form["format"].flatMap(ImportFormat.init(rawValue:))
            domain = (form["domain"] ?? "").trimmingCharacters(in: .whitespaces)
            updatesBank = form["update"] != nil
            keys = form["keys"].flatMap(KeyReading.init(rawValue:))
            hasHeader = ["yes": true, "no": false][form["header"] ?? ""]
            separator = form["separator"].flatMap {
                ImportSettings.separators[$0] == nil ? nil : $0
            }
            letters = form["letters"].flatMap(LetterRule.init(rawValue:))
            let named = Self.columns.compactMap { name in
                form["column-" + name].map { (name, $0.trimmingCharacters(in: .whitespaces)) }
            }
            mapping = Dictionary(named.filter { !$0.1.isEmpty }) { $1 }
            text = EditField.unified(form["text"] ?? "")
        }

        /// The settings for the importer.
        var settings: ImportSettings {
            var settings = ImportSettings(
                domain: domain.isEmpty ? nil : domain, mapping: mapping, keys: keys,
                updatesBank: updatesBank)
            settings.hasHeader = hasHeader
            settings.separator = separator.flatMap { ImportSettings.separators[$0] }
            settings.letters = letters
            return settings
        }

        /// The bytes to read.
        var bytes: [UInt8] { file?.bytes ?? Array(text.utf8) }
    }
}
