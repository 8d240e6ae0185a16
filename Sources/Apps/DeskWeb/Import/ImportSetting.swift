import Importing

/// A setting of the importer that the page offers where the format of the file uses it.
enum ImportSetting: CaseIterable {
    case keys, columns, lists, header, separator, letters, textForm, values, decimal, encoding

    /// The formats whose questions are records with named fields.
    private static let records: Set<ImportFormat> = [.csv, .xlsx, .json, .jsonLines, .yaml]

    /// Returns true if the importer uses the setting for a format.
    ///
    /// - Parameters:
    ///   - format: The format; `nil` for an unknown one, which may use any.
    ///   - isFile: True for a file; pasted text has no encoding of its own.
    /// - Returns: False for a setting that would change nothing.
    func matters(for format: ImportFormat?, isFile: Bool) -> Bool {
        guard let format else { return self != .encoding || isFile }
        let isRecords = Self.records.contains(format)
        return switch self {
        case .keys: isRecords || [.markdown, .html, .docx, .cards].contains(format)
        case .columns, .letters, .values, .decimal: isRecords
        case .lists: format == .json || format == .yaml
        case .header, .separator: format == .csv
        case .textForm: isRecords || format == .gift || format == .blackboard
        case .encoding: isFile && !format.isArchive
        }
    }
}
