"""Which value applies here? Pure: layers in, values with their sources out."""
