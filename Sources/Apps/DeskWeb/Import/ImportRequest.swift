import ContentModel
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
        /// The paths of the lists to read; empty to detect them.
        var lists: [String]
        /// The form of texts; `nil` to detect it.
        var textForm: SourceTextForm?
        /// The coding of values; `nil` to detect it.
        var values: ValueForm?
        /// The decimal sign; `nil` to detect it.
        var decimal: DecimalSign?
        /// The encoding of a file; `nil` to detect it.
        var encoding: TextEncoding?
        /// The columns that the author named, by our fields.
        var mapping: [String: String]
        var text: String
        /// The file in place of the text.
        var file: FormFile?
        /// The rows to show.
        var filter: ImportFilter
        /// The page of the rows, from 1.
        var page: Int
        /// The mark of the reading that the author saw; `nil` for none.
        var shown: String?
        /// The mark of the reading with which that one was compared; `nil` for none.
        var before: String?

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
            lists = Array(Set(form.all("list").filter { !$0.isEmpty })).sorted()
            textForm = form["text-form"].flatMap(SourceTextForm.init(rawValue:))
            values = form["values"].flatMap(ValueForm.init(rawValue:))
            decimal = form["decimal"].flatMap(DecimalSign.init(rawValue:))
            encoding = form["encoding"].flatMap { TextEncoding($0) }
            let named = Self.columns.compactMap { name in
                form["column-" + name].map { (name, $0.trimmingCharacters(in: .whitespaces)) }
            }
            mapping = Dictionary(named.filter { !$0.1.isEmpty }) { $1 }
            text = EditField.unified(form["text"] ?? "")
            filter = form["show"].flatMap(ImportFilter.init(rawValue:)) ?? .all
            page = form["page"].flatMap { Int($0) } ?? 1
            shown = form["shown"].flatMap { $0.isEmpty ? nil : $0 }
            before = form["before"].flatMap { $0.isEmpty ? nil : $0 }
        }

        /// The format by name and content, or `nil` where it cannot be told: O(bytes).
        var detectedFormat: ImportFormat? {
            if let format { return format }
            if let file { return ImportFormat.detect(file: file.name, bytes: file.bytes) }
            return PastedText.format(of: text)
        }

        /// Returns the settings for the importer: those that a file of the format uses.
        ///
        /// - Parameter format: The format; `nil` for an unknown one, which gets all.
        /// - Returns: The settings.
        func settings(for format: ImportFormat?) -> ImportSettings {
            func used<Value>(_ value: Value?, _ setting: ImportSetting) -> Value? {
                setting.matters(for: format, isFile: file != nil) ? value : nil
            }
            var settings = ImportSettings(
                domain: domain.isEmpty ? nil : domain, mapping: used(mapping, .columns) ?? [:],
                keys: used(keys, .keys), textForm: used(textForm, .textForm),
                encoding: isArchive ? nil : used(encoding, .encoding), updatesBank: updatesBank)
            settings.lists = used(lists, .lists) ?? []
            settings.hasHeader = used(hasHeader, .header)
            settings.separator = used(separator, .separator)
                .flatMap { ImportSettings.separators[$0] }
            settings.letters = used(letters, .letters)
            settings.values = used(values, .values)
            settings.decimal = used(decimal, .decimal)
            return settings
        }

        /// The choices about reading that are no part of a ledger's other values.
        var settingsJSON: JSONValue {
            [
                "header": hasHeader.map { .bool($0) } ?? .null,
                "separator": .string(separator ?? ""),
                "letters": .string(letters?.rawValue ?? ""),
                "lists": .array(lists.map { .string($0) }),
                "textForm": .string(textForm?.rawValue ?? ""),
                "values": .string(values?.rawValue ?? ""),
                "decimal": .string(decimal?.rawValue ?? ""),
                "encoding": .string(encoding?.name ?? ""),
                "columns": .object(mapping.mapValues { .string($0) }),
            ]
        }

        /// True for a zip, whose texts have encodings of their own.
        private var isArchive: Bool { file?.bytes.starts(with: [0x50, 0x4B]) ?? false }

        /// The bytes to read.
        var bytes: [UInt8] { file?.bytes ?? Array(text.utf8) }
    }
}
