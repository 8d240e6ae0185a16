extension UserSchema {
    /// The part of a counter's totals that each pending operation adds, so that a copied store can separate
    /// its own steps from those of the original.
    static let steps = """
        ALTER TABLE pending ADD COLUMN added INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE pending ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
        """
}
